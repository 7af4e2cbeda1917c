package io.millrace.wire.login;

import java.nio.ByteBuffer;

/** NONE of the server: whoever asks is let in as nobody in particular. */
final class NoneServerLogin implements ServerLogin {

    private boolean over;

    @Override
    public LoginMechanism mechanism() {
        return LoginMechanism.NONE;
    }

    @Override
    public LoginStep onData(ByteBuffer data) {
        if (over || data.hasRemaining()) {
            over = true;
            return new LoginStep.Refused("NONE takes one message without data");
        }
        over = true;
        return new LoginStep.Accepted(ANONYMOUS, ByteBuffer.allocate(0));
    }
}
