package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Deletes a temporary destination of this connection with all its messages. Answered by {@link Done}; refused with {@link
 * io.millrace.wire.ErrorCode#INVALID_REQUEST} while it has consumers, and with {@link io.millrace.wire.ErrorCode#INVALID_DESTINATION} if it belongs to another
 * connection.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param name its name
 */
public record DeleteTemporary(int corr, String name) implements RequestFrame {

    /** Checks that everything is there. */
    public DeleteTemporary {
        Objects.requireNonNull(name, "name");
    }

    static DeleteTemporary read(FieldReader in) {
        return new DeleteTemporary(in.i32("corr"), in.string("name"));
    }

    static void write(FieldWriter out, DeleteTemporary frame) {
        out.i32(frame.corr);
        out.string(frame.name);
    }

    @Override
    public FrameType type() {
        return FrameType.DELETE_TEMPORARY;
    }
}
