package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The one message of PLAIN, RFC 4616: authorization identity, NUL, user, NUL, password.
 *
 * @param user not empty
 * @param password not empty
 */
record PlainMessage(String user, String password) {

    private static final int MAX_BYTES = 4_096;
    private static final char NUL = '\0';

    PlainMessage {
        if (user.isEmpty() || password.isEmpty() || user.indexOf(NUL) >= 0 || password.indexOf(NUL) >= 0) {
            throw new LoginException("PLAIN needs a user and a password that are not empty and hold no NUL");
        }
    }

    static byte[] encode(String user, String password) {
        PlainMessage message = new PlainMessage(user, password);
        return (NUL + message.user + NUL + message.password).getBytes(StandardCharsets.UTF_8);
    }

    static PlainMessage decode(ByteBuffer data) {
        if (data.remaining() > MAX_BYTES) {
            throw new LoginException("PLAIN message of " + data.remaining() + " bytes is longer than " + MAX_BYTES);
        }
        String[] parts = ScramMessages.utf8(data).split(String.valueOf(NUL), -1);
        if (parts.length != 3) {
            throw new LoginException("PLAIN message has " + parts.length + " parts instead of 3");
        }
        if (!parts[0].isEmpty() && !parts[0].equals(parts[1])) {
            throw new LoginException("PLAIN asks to act for another user, which is not supported");
        }
        return new PlainMessage(parts[1], parts[2]);
    }

    @Override
    public String toString() {
        return "PLAIN message of user " + user;
    }
}
