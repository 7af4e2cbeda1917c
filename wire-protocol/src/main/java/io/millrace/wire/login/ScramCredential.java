package io.millrace.wire.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What a server stores of a password, RFC 5802: enough to check a proof, not enough to make one.
 *
 * <p>Passwords and user names are taken as they are, in UTF-8: like Kafka, and unlike the RFC, without SASLprep. Immutable; two
 * of them are equal only if they are the same object, and the text form does not show the keys.
 */
public final class ScramCredential {

    private static final int MIN_SALT_BYTES = 8;

    private final ScramHash hash;
    private final byte[] salt;
    private final int iterations;
    private final byte[] storedKey;
    private final byte[] serverKey;

    private ScramCredential(ScramHash hash, byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
        ScramMessages.checkIterations(iterations);
        if (salt.length < MIN_SALT_BYTES) {
            throw new LoginException(
                    "A salt must have at least " + MIN_SALT_BYTES + " bytes, this one has " + salt.length);
        }
        if (storedKey.length != hash.sizeBytes() || serverKey.length != hash.sizeBytes()) {
            throw new LoginException("The keys of a " + hash + " credential must have " + hash.sizeBytes() + " bytes");
        }
        this.hash = hash;
        this.salt = salt;
        this.iterations = iterations;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
    }

    /**
     * Takes up a stored credential; the arrays are copied.
     *
     * @param iterations {@link ScramHash#MIN_ITERATIONS} to {@link ScramHash#MAX_ITERATIONS}
     * @throws LoginException if a value is out of range
     */
    public static ScramCredential of(ScramHash hash, byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
        return new ScramCredential(hash, salt.clone(), iterations, storedKey.clone(), serverKey.clone());
    }

    /**
     * Derives the credential of a password, which takes about a microsecond for each iteration.
     *
     * @param salt random, at least 8 bytes
     * @param iterations {@link ScramHash#MIN_ITERATIONS} to {@link ScramHash#MAX_ITERATIONS}
     * @throws LoginException if a value is out of range
     */
    public static ScramCredential derive(ScramHash hash, String password, byte[] salt, int iterations) {
        ScramMessages.checkIterations(iterations);
        ScramKeys keys = ScramKeys.derive(hash, password, salt, iterations);
        return new ScramCredential(hash, salt.clone(), iterations, keys.storedKey(), keys.serverKey());
    }

    /**
     * Checks a password that came in the clear, at the cost of {@link #derive}.
     *
     * @param password any text
     */
    public boolean matches(String password) {
        ScramKeys keys = ScramKeys.derive(hash, password, salt, iterations);
        return MessageDigest.isEqual(keys.storedKey(), storedKey);
    }

    /**
     * Checks a client's proof.
     *
     * @param proof of the client-final message
     * @param authMessage what was said so far
     */
    boolean proves(byte[] proof, byte[] authMessage) {
        if (proof.length != hash.sizeBytes()) {
            return false;
        }
        byte[] clientKey = ScramKeys.xor(proof, hash.hmac(storedKey, authMessage));
        return MessageDigest.isEqual(hash.digest(clientKey), storedKey);
    }

    byte[] serverSignature(byte[] authMessage) {
        return hash.hmac(serverKey, authMessage);
    }

    /** Returns the hash that the keys are made with. */
    public ScramHash hash() {
        return hash;
    }

    /** Returns a copy of the salt. */
    public byte[] salt() {
        return salt.clone();
    }

    /** Returns the number of iterations. */
    public int iterations() {
        return iterations;
    }

    /** Returns a copy of RFC 5802's StoredKey, to be stored where only the server reads. */
    public byte[] storedKey() {
        return storedKey.clone();
    }

    /** Returns a copy of RFC 5802's ServerKey, to be stored where only the server reads. */
    public byte[] serverKey() {
        return serverKey.clone();
    }

    /** The same credential under a password that nobody knows: every proof is wrong, though salt and iterations look right. */
    static ScramCredential unprovable(ScramHash hash, String user, byte[] serverSecret, int iterations) {
        byte[] mask = hash.hmac(serverSecret, user.getBytes(StandardCharsets.UTF_8));
        byte[] noKey = hash.hmac(serverSecret, mask);
        return new ScramCredential(hash, Arrays.copyOf(mask, 16), iterations, noKey, noKey);
    }

    @Override
    public String toString() {
        return hash + " credential of " + iterations + " iterations";
    }
}
