package io.millrace.wire.login;

import java.nio.ByteBuffer;

/** PLAIN of the server. Takes as long for a known user as the credential's iterations; the connection should be made to wait elsewhere. */
final class PlainServerLogin implements ServerLogin {

    private final PasswordCheck passwords;
    private boolean over;

    PlainServerLogin(PasswordCheck passwords) {
        this.passwords = passwords;
    }

    @Override
    public LoginMechanism mechanism() {
        return LoginMechanism.PLAIN;
    }

    @Override
    public LoginStep onData(ByteBuffer data) {
        if (over) {
            return new LoginStep.Refused("PLAIN takes one message");
        }
        over = true;
        PlainMessage message;
        try {
            message = PlainMessage.decode(data);
        } catch (LoginException invalid) {
            return new LoginStep.Refused(invalid.getMessage());
        }
        if (!passwords.isRight(message.user(), message.password())) {
            return new LoginStep.Refused("There is no user " + message.user() + ", or it has another password");
        }
        return new LoginStep.Accepted(message.user(), ByteBuffer.allocate(0));
    }
}
