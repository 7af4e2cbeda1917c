package io.millrace.coordinator.access;

import java.util.Arrays;

/**
 * What a server keeps to check a user's password by SCRAM (RFC 5802): neither the password nor anything to log in with can be had from
 * it, other than by guessing. Immutable. Its text does not show it.
 */
public final class ScramCredential {

    /** Least iterations: fewer make guessing cheap, and clients refuse them (RFC 7677). */
    public static final int MIN_ITERATIONS = 4_096;

    /** Most iterations, as in Kafka: a client that logs in has to make all of them. */
    public static final int MAX_ITERATIONS = 16_384;

    /** Longest salt; clients make 26 bytes or so. */
    public static final int MAX_SALT_BYTES = 1_024;

    private final ScramMechanism mechanism;
    private final byte[] salt;
    private final byte[] storedKey;
    private final byte[] serverKey;
    private final int iterations;

    /**
     * Creates a credential.
     *
     * @param salt 1 to {@link #MAX_SALT_BYTES} bytes
     * @param storedKey as long as the mechanism's keys
     * @param serverKey as long as the mechanism's keys
     * @param iterations {@link #MIN_ITERATIONS} to {@link #MAX_ITERATIONS}
     * @throws IllegalArgumentException if a length or the number of iterations is not so
     */
    public ScramCredential(ScramMechanism mechanism, byte[] salt, byte[] storedKey, byte[] serverKey, int iterations) {
        if (salt.length == 0 || salt.length > MAX_SALT_BYTES) {
            throw new IllegalArgumentException(
                    "a salt of " + salt.length + " bytes, 1 to " + MAX_SALT_BYTES + " are allowed");
        }
        if (storedKey.length != mechanism.keyBytes() || serverKey.length != mechanism.keyBytes()) {
            throw new IllegalArgumentException("keys of " + storedKey.length + " and " + serverKey.length
                    + " bytes, those of " + mechanism.mechanismName() + " have " + mechanism.keyBytes());
        }
        if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) {
            throw new IllegalArgumentException(
                    iterations + " iterations, " + MIN_ITERATIONS + " to " + MAX_ITERATIONS + " are allowed");
        }
        this.mechanism = mechanism;
        this.salt = salt.clone();
        this.storedKey = storedKey.clone();
        this.serverKey = serverKey.clone();
        this.iterations = iterations;
    }

    /** Returns the mechanism that it is for. */
    public ScramMechanism mechanism() {
        return mechanism;
    }

    /** Returns a copy of the salt. */
    public byte[] salt() {
        return salt.clone();
    }

    /** Returns a copy of the stored key: the hash of the client key. */
    public byte[] storedKey() {
        return storedKey.clone();
    }

    /** Returns a copy of the server key, which proves to the client that the server knows the user. */
    public byte[] serverKey() {
        return serverKey.clone();
    }

    /** Returns how often the password was hashed. */
    public int iterations() {
        return iterations;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScramCredential that
                && mechanism == that.mechanism
                && iterations == that.iterations
                && Arrays.equals(salt, that.salt)
                && Arrays.equals(storedKey, that.storedKey)
                && Arrays.equals(serverKey, that.serverKey);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(storedKey) + Arrays.hashCode(salt);
    }

    @Override
    public String toString() {
        return mechanism.mechanismName() + " credential of " + iterations + " iterations";
    }
}
