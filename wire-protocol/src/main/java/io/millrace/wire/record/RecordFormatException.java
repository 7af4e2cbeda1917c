package io.millrace.wire.record;

import io.millrace.wire.MillraceException;

/**
 * A record batch cannot be read, or may not be written, as it is. The permitted subclasses say why; all of them are about the
 * bytes or the request, never about the state of this process, so the same input fails again.
 */
public abstract sealed class RecordFormatException extends MillraceException
        permits BatchTooLargeException,
                CorruptBatchException,
                InvalidBatchException,
                RecordRefusedException,
                UnsupportedCompressionException,
                UnsupportedMagicException {
    RecordFormatException(String message) {
        super(Category.REJECTED, message);
    }

    RecordFormatException(String message, Throwable cause) {
        super(Category.REJECTED, message, cause);
    }
}
