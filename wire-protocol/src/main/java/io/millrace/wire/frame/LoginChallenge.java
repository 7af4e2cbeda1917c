package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/**
 * The server's step of a login exchange that needs another one of the client.
 *
 * @param data message of the mechanism
 */
public record LoginChallenge(ByteBuffer data) implements Frame {

    /** Checks the ranges. */
    public LoginChallenge {
        data = data.slice();
    }

    static LoginChallenge read(FieldReader in) {
        return new LoginChallenge(in.bytes("data"));
    }

    static void write(FieldWriter out, LoginChallenge frame) {
        out.bytes(frame.data);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer data() {
        return data.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.LOGIN_CHALLENGE;
    }
}
