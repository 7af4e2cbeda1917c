package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** The server's side of one login exchange: feed it the data of each Login frame, do what the step says. */
public interface ServerLogin {

    /** Who a client is that logs in without identity. */
    String ANONYMOUS = "anonymous";

    /** Returns the mechanism, which each Login frame of the exchange must name. */
    LoginMechanism mechanism();

    /**
     * Takes the client's next message.
     *
     * @param data of the Login frame
     * @return what to do; after anything but a challenge the exchange is over, and further data is refused
     */
    LoginStep onData(ByteBuffer data);

    /** Returns the server's side of NONE. */
    static ServerLogin none() {
        return new NoneServerLogin();
    }

    /**
     * Returns the server's side of PLAIN, which checks the password against the user's SCRAM credentials.
     *
     * @param credentials of all users
     */
    static ServerLogin plain(CredentialLookup credentials) {
        return plainBy(PasswordCheck.of(credentials));
    }

    /** Returns the server's side of PLAIN with a check of one's own. */
    static ServerLogin plainBy(PasswordCheck passwords) {
        return new PlainServerLogin(passwords);
    }

    /**
     * Returns the server's side of SCRAM.
     *
     * @param hash which of the two
     * @param credentials of all users
     * @param random source of the nonce: a {@link java.security.SecureRandom} outside tests
     * @param serverSecret at least 16 bytes that strangers do not know, the same over connections: unknown users get a salt made of it, so
     *     that they cannot be told from known ones
     */
    static ServerLogin scram(
            ScramHash hash, CredentialLookup credentials, RandomGenerator random, byte[] serverSecret) {
        return new ScramServerLogin(hash, credentials, ScramMessages.nonce(random), serverSecret);
    }
}
