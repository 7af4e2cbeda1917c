package io.millrace.log.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** Tells a process that has too many files open from a disk that is broken. */
public final class OpenFiles {
    /** What to do about it. */
    public static final String ADVICE = "the process has too many open files: raise its limit (ulimit -n), or lower "
            + "log.open.files.max or the number of connections";

    private OpenFiles() {}

    /** Whether a file could not be opened for this reason: nothing was written or forced, and it may work a moment later. */
    public static boolean areTooMany(IOException failure) {
        String reason = failure instanceof FileSystemException e ? e.getReason() : failure.getMessage();
        return reason != null && reason.toLowerCase(Locale.ROOT).contains("too many open files");
    }
}
