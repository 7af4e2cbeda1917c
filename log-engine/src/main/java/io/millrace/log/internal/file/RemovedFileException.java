package io.millrace.log.internal.file;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file of a log was removed by the log itself, as retention does, while somebody was at it: not a fault. */
public final class RemovedFileException extends NoSuchFileException {
    RemovedFileException(Path path) {
        super(path.toString(), null, "removed");
    }
}
