package io.millrace.coordinator.cursor;

import io.millrace.wire.MillraceException;

/**
 * Bytes of the cursor log do not make a {@link CursorRecord}. They passed the checksum of their batch, so they were written by a newer
 * version, or by a fault of the program. Nothing was changed by them; the partition cannot be opened without losing acknowledgements,
 * so it stays closed until somebody decides.
 */
public final class MalformedCursorRecordException extends MillraceException {

    MalformedCursorRecordException(String message) {
        super(Category.FATAL, message);
    }

    MalformedCursorRecordException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
