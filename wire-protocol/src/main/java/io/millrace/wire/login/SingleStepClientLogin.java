package io.millrace.wire.login;

import java.nio.ByteBuffer;

/** NONE and PLAIN: one message, and no proof from the server. */
final class SingleStepClientLogin implements ClientLogin {

    private final LoginMechanism mechanism;
    private final byte[] message;
    private boolean sent;

    SingleStepClientLogin(LoginMechanism mechanism, byte[] message) {
        this.mechanism = mechanism;
        this.message = message;
    }

    @Override
    public LoginMechanism mechanism() {
        return mechanism;
    }

    @Override
    public ByteBuffer first() {
        if (sent) {
            throw new LoginException(mechanism.wireName() + " login has begun already");
        }
        sent = true;
        return ByteBuffer.wrap(message);
    }

    @Override
    public ByteBuffer onChallenge(ByteBuffer challenge) {
        throw new LoginException(mechanism.wireName() + " has no challenges, but the server sent one");
    }

    @Override
    public void onOk(ByteBuffer data) {
        if (!sent || data.hasRemaining()) {
            throw new LoginException("The server accepted a " + mechanism.wireName()
                    + (sent ? " login with data, which it does not have" : " login that was not begun"));
        }
    }
}
