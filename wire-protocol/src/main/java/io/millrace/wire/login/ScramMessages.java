package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;

/** The texts of RFC 5802, section 7. */
final class ScramMessages {

    /** Both sides know that no channel binding takes place: the client has none, or it believes that the server has none. */
    static final String NO_BINDING = "n";

    static final String NO_BINDING_SEEN = "y";

    private static final int MAX_BYTES = 4_096;
    private static final int NONCE_BYTES = 24;

    private ScramMessages() {}

    /** A nonce of 192 random bits, in characters that need no escape. */
    static String nonce(RandomGenerator random) {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static void checkIterations(int iterations) {
        if (iterations < ScramHash.MIN_ITERATIONS || iterations > ScramHash.MAX_ITERATIONS) {
            throw new LoginException("SCRAM iterations must be within " + ScramHash.MIN_ITERATIONS + " to "
                    + ScramHash.MAX_ITERATIONS + ", are " + iterations);
        }
    }

    static String text(ByteBuffer data) {
        if (data.remaining() > MAX_BYTES) {
            throw new LoginException("SCRAM message of " + data.remaining() + " bytes is longer than " + MAX_BYTES);
        }
        return utf8(data);
    }

    static String utf8(ByteBuffer data) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(data.duplicate()).toString();
        } catch (CharacterCodingException invalid) {
            throw new LoginException("Login message is not UTF-8");
        }
    }

    static ByteBuffer data(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] fromBase64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException invalid) {
            throw new LoginException("SCRAM message holds bad base64");
        }
    }

    /** The value of {@code name=value}. */
    static String attribute(String part, char name) {
        if (part.length() < 2 || part.charAt(0) != name || part.charAt(1) != '=') {
            throw new LoginException("SCRAM message lacks attribute " + name + " where it must stand");
        }
        return part.substring(2);
    }

    static int iterations(String text) {
        int iterations;
        try {
            iterations = Integer.parseInt(text);
        } catch (NumberFormatException invalid) {
            throw new LoginException("SCRAM iterations are no number");
        }
        checkIterations(iterations);
        return iterations;
    }

    static String escapeName(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    static String unescapeName(String escaped) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.charAt(i) != '=') {
                name.append(escaped.charAt(i));
            } else if (escaped.startsWith("=2C", i)) {
                name.append(',');
                i += 2;
            } else if (escaped.startsWith("=3D", i)) {
                name.append('=');
                i += 2;
            } else {
                throw new LoginException("SCRAM user name holds an = that is no escape");
            }
        }
        return name.toString();
    }
}
