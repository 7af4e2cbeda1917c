package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * The client's side of one login exchange: send {@link #first()} in a Login frame; answer each LoginChallenge with {@link #onChallenge};
 * hand the data of LoginOk to {@link #onOk}, and only if that returns is the server who it claims to be.
 */
public interface ClientLogin {

    /** Returns the name for the Login frames. */
    LoginMechanism mechanism();

    /**
     * Returns the data of the first Login frame.
     *
     * @throws LoginException if it was called before
     */
    ByteBuffer first();

    /**
     * Answers the server.
     *
     * @param challenge data of the LoginChallenge frame
     * @return data of the next Login frame
     * @throws LoginException if the challenge breaks the rules of the mechanism
     */
    ByteBuffer onChallenge(ByteBuffer challenge);

    /**
     * Checks the server's last word.
     *
     * @param data of the LoginOk frame
     * @throws LoginException if the exchange is not at its end, or the server does not prove that it knows the user
     */
    void onOk(ByteBuffer data);

    /** Returns a login without identity. */
    static ClientLogin none() {
        return new SingleStepClientLogin(LoginMechanism.NONE, new byte[0]);
    }

    /**
     * Returns a login that sends user and password in the clear.
     *
     * @param user not empty, without NUL
     * @param password not empty, without NUL
     */
    static ClientLogin plain(String user, String password) {
        return new SingleStepClientLogin(LoginMechanism.PLAIN, PlainMessage.encode(user, password));
    }

    /**
     * Returns a SCRAM login.
     *
     * @param hash which of the two
     * @param user not empty
     * @param password not empty
     * @param random source of the nonce: a {@link java.security.SecureRandom} outside tests
     */
    static ClientLogin scram(ScramHash hash, String user, String password, RandomGenerator random) {
        return new ScramClientLogin(hash, user, password, ScramMessages.nonce(random));
    }
}
