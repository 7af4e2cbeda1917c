package io.millrace.wire.login;

import java.nio.charset.StandardCharsets;

/** The keys that RFC 5802 derives from a password. An object of secrets: never shown, never compared with equals. */
final class ScramKeys {

    private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SERVER_KEY = "Server Key".getBytes(StandardCharsets.US_ASCII);

    private final ScramHash hash;
    private final byte[] clientKey;
    private final byte[] serverKey;

    private ScramKeys(ScramHash hash, byte[] clientKey, byte[] serverKey) {
        this.hash = hash;
        this.clientKey = clientKey;
        this.serverKey = serverKey;
    }

    static ScramKeys derive(ScramHash hash, String password, byte[] salt, int iterations) {
        if (password.isEmpty()) {
            throw new LoginException("A password cannot be empty");
        }
        byte[] salted = hash.saltedPassword(password.getBytes(StandardCharsets.UTF_8), salt, iterations);
        return new ScramKeys(hash, hash.hmac(salted, CLIENT_KEY), hash.hmac(salted, SERVER_KEY));
    }

    byte[] storedKey() {
        return hash.digest(clientKey);
    }

    byte[] serverKey() {
        return serverKey;
    }

    byte[] clientProof(byte[] authMessage) {
        return xor(clientKey, hash.hmac(storedKey(), authMessage));
    }

    byte[] serverSignature(byte[] authMessage) {
        return hash.hmac(serverKey, authMessage);
    }

    static byte[] xor(byte[] left, byte[] right) {
        byte[] result = new byte[left.length];
        for (int i = 0; i < left.length; i++) {
            result[i] = (byte) (left[i] ^ right[i]);
        }
        return result;
    }
}
