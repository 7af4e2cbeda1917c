package io.millrace.log;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Looks after files in a data directory that are not of a log, and so are known to another module: those of the metadata quorum. */
public interface DirectoryCheck {
    /** What is wrong with them. Changes nothing. */
    List<VerifyReport.Finding> check(Path directory);

    /**
     * Mends what can be mended.
     *
     * @param incarnation identity of the directory
     * @return what was done, a line each
     */
    List<String> repair(Path directory, UUID incarnation);
}
