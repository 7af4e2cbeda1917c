package io.millrace.log.internal.sync;

import io.millrace.log.internal.file.OpenFiles;
import java.io.IOException;

/** Something that a round needs cannot be had now, and nothing is broken by that: not enough space for a new file, or too many open ones. */
public final class TryAgainException extends IOException {
    private static final long serialVersionUID = 1;

    public TryAgainException(IOException cause) {
        super(cause.toString(), cause);
    }

    /** Whether a failure says nothing about what is on the disk. */
    static boolean isHarmless(IOException failure) {
        return failure instanceof TryAgainException || OpenFiles.areTooMany(failure);
    }
}
