package io.millrace.wire.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The hash of a SCRAM mechanism, and RFC 5802's functions over it. */
public enum ScramHash {
    /** SHA-256: 32 bytes. */
    SHA_256("SHA-256", "HmacSHA256", 32, LoginMechanism.SCRAM_SHA_256),
    /** SHA-512: 64 bytes. */
    SHA_512("SHA-512", "HmacSHA512", 64, LoginMechanism.SCRAM_SHA_512);

    /** Fewer iterations make a stolen credential cheap to guess; RFC 7677 demands this many. */
    public static final int MIN_ITERATIONS = 4_096;

    /** More would let a hostile server keep a client's CPU busy for longer than about a second. */
    public static final int MAX_ITERATIONS = 1_000_000;

    private final String digestName;
    private final String macName;
    private final int sizeBytes;
    private final LoginMechanism mechanism;

    ScramHash(String digestName, String macName, int sizeBytes, LoginMechanism mechanism) {
        this.digestName = digestName;
        this.macName = macName;
        this.sizeBytes = sizeBytes;
        this.mechanism = mechanism;
    }

    /** Returns the mechanism that uses the hash. */
    public LoginMechanism mechanism() {
        return mechanism;
    }

    /** Returns the size of a hash in bytes. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * Finds the hash of a mechanism.
     *
     * @param mechanism any mechanism
     * @return its hash, or empty if it is not SCRAM
     */
    public static Optional<ScramHash> of(LoginMechanism mechanism) {
        for (ScramHash hash : values()) {
            if (hash.mechanism == mechanism) {
                return Optional.of(hash);
            }
        }
        return Optional.empty();
    }

    /** RFC 5802: H(). */
    byte[] digest(byte[] input) {
        try {
            return MessageDigest.getInstance(digestName).digest(input);
        } catch (GeneralSecurityException missing) {
            throw new MissingAlgorithmException(digestName, missing);
        }
    }

    /** RFC 5802: HMAC(). */
    byte[] hmac(byte[] key, byte[] input) {
        return mac(key).doFinal(input);
    }

    /**
     * RFC 5802: Hi(), which is PBKDF2 with one block. Written out because the JDK's takes passwords as chars and encodes them in a way that
     * is not UTF-8 for every provider.
     */
    byte[] saltedPassword(byte[] password, byte[] salt, int iterations) {
        Mac mac = mac(password);
        mac.update(salt);
        byte[] last = mac.doFinal(new byte[] {0, 0, 0, 1});
        byte[] result = last.clone();
        for (int i = 1; i < iterations; i++) {
            last = mac.doFinal(last);
            for (int k = 0; k < result.length; k++) {
                result[k] ^= last[k];
            }
        }
        return result;
    }

    private Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(macName);
            mac.init(new SecretKeySpec(key, macName));
            return mac;
        } catch (GeneralSecurityException missing) {
            throw new MissingAlgorithmException(macName, missing);
        }
    }
}
