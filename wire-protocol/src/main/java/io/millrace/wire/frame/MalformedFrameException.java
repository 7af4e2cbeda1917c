package io.millrace.wire.frame;

import io.millrace.wire.MillraceException;

/**
 * The peer sent bytes that are no frame of the protocol.
 *
 * <p>After a bad field the stream could still be followed, but a peer that writes such frames cannot be trusted with the next one either:
 * whoever reads answers with a Goodbye that carries {@link io.millrace.wire.ErrorCode#MALFORMED_FRAME}, and closes the connection.
 */
public final class MalformedFrameException extends MillraceException {

    MalformedFrameException(String what, String why) {
        super(Category.REJECTED, what + " " + why);
    }

    MalformedFrameException(FrameType type, String field, String why) {
        super(Category.REJECTED, type + " frame, field " + field + ": " + why);
    }

    MalformedFrameException(FrameType type, InvalidFieldException invalid) {
        super(Category.REJECTED, type + " frame, " + invalid.getMessage(), invalid);
    }
}
