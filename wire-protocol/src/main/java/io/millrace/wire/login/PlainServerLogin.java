package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.util.Optional;

/** PLAIN of the server. Takes as long for a known user as the credential's iterations; the connection should be made to wait elsewhere. */
final class PlainServerLogin implements ServerLogin {

    private final CredentialLookup credentials;
    private boolean over;

    PlainServerLogin(CredentialLookup credentials) {
        this.credentials = credentials;
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
        Optional<ScramCredential> credential = credentials
                .find(message.user(), ScramHash.SHA_512)
                .or(() -> credentials.find(message.user(), ScramHash.SHA_256));
        if (credential.isEmpty()) {
            return new LoginStep.Refused("There is no user " + message.user());
        }
        if (!credential.get().matches(message.password())) {
            return new LoginStep.Refused("Wrong password of user " + message.user());
        }
        return new LoginStep.Accepted(message.user(), ByteBuffer.allocate(0));
    }
}
