package io.millrace.log;

import io.millrace.wire.MillraceException;

/** A read below the log start offset (already removed) or above the log end offset (not written yet, or cut off). */
public final class OffsetOutOfRangeException extends MillraceException {
    private final long offset;
    private final long logStartOffset;
    private final long logEndOffset;

    public OffsetOutOfRangeException(String log, long offset, long logStartOffset, long logEndOffset) {
        super(
                Category.REJECTED,
                "offset " + offset + " is not in " + log + ", which has offsets " + logStartOffset + " to "
                        + logEndOffset);
        this.offset = offset;
        this.logStartOffset = logStartOffset;
        this.logEndOffset = logEndOffset;
    }

    public long offset() {
        return offset;
    }

    public long logStartOffset() {
        return logStartOffset;
    }

    public long logEndOffset() {
        return logEndOffset;
    }
}
