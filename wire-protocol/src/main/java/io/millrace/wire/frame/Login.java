package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A client's step of the login exchange. See {@code io.millrace.wire.login}.
 *
 * @param mechanism the same in each step, one of those in {@link HelloOk}
 * @param data message of the mechanism, empty for NONE
 */
public record Login(String mechanism, ByteBuffer data) implements Frame {

    /** Checks the ranges. */
    public Login {
        Objects.requireNonNull(mechanism, "mechanism");
        data = data.slice();
    }

    static Login read(FieldReader in) {
        return new Login(in.string("mechanism"), in.bytes("data"));
    }

    static void write(FieldWriter out, Login frame) {
        out.string(frame.mechanism);
        out.bytes(frame.data);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer data() {
        return data.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.LOGIN;
    }
}
