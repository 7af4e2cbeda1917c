package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * End of the login exchange. From here on requests are taken.
 *
 * @param principal who the server takes the client for; `anonymous` after NONE
 * @param data last message of the mechanism, which the client must check, or empty
 */
public record LoginOk(String principal, ByteBuffer data) implements Frame {

    /** Checks the ranges. */
    public LoginOk {
        Objects.requireNonNull(principal, "principal");
        data = data.slice();
    }

    static LoginOk read(FieldReader in) {
        return new LoginOk(in.string("principal"), in.bytes("data"));
    }

    static void write(FieldWriter out, LoginOk frame) {
        out.string(frame.principal);
        out.bytes(frame.data);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer data() {
        return data.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.LOGIN_OK;
    }
}
