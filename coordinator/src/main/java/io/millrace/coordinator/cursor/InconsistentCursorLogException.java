package io.millrace.coordinator.cursor;

import io.millrace.wire.MillraceException;

/**
 * A well-formed record of the cursor log does not fit what came before it, such as an acknowledgement for a cursor that does not
 * exist: records are missing or out of order. The cursors that were being replayed are useless; replaying again ends the same way.
 * The partition stays closed until its cursor log is restored from another replica, or somebody gives it up.
 */
public final class InconsistentCursorLogException extends MillraceException {

    InconsistentCursorLogException(String message) {
        super(Category.FATAL, message);
    }
}
