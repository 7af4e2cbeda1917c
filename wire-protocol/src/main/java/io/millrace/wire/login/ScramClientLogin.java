package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;

/** SCRAM of the client, RFC 5802: NEW -> FIRST_SENT -> FINAL_SENT -> DONE; any failure ends in DONE. */
final class ScramClientLogin implements ClientLogin {

    private enum State {
        NEW,
        FIRST_SENT,
        FINAL_SENT,
        DONE
    }

    private static final String GS2_HEADER = ScramMessages.NO_BINDING + ",,";

    private final ScramHash hash;
    private final String password;
    private final String nonce;
    private final String firstBare;
    private State state = State.NEW;
    private Optional<byte[]> expectedSignature = Optional.empty();

    ScramClientLogin(ScramHash hash, String user, String password, String nonce) {
        if (user.isEmpty() || password.isEmpty()) {
            throw new LoginException("SCRAM needs a user and a password that are not empty");
        }
        this.hash = hash;
        this.password = password;
        this.nonce = nonce;
        this.firstBare = "n=" + ScramMessages.escapeName(user) + ",r=" + nonce;
    }

    @Override
    public LoginMechanism mechanism() {
        return hash.mechanism();
    }

    @Override
    public ByteBuffer first() {
        move(State.NEW, State.FIRST_SENT);
        return ScramMessages.data(GS2_HEADER + firstBare);
    }

    @Override
    public ByteBuffer onChallenge(ByteBuffer challenge) {
        move(State.FIRST_SENT, State.DONE);
        String serverFirst = ScramMessages.text(challenge);
        String[] parts = serverFirst.split(",", -1);
        if (parts.length < 3) {
            throw new LoginException("SCRAM challenge has too few attributes");
        }
        String fullNonce = ScramMessages.attribute(parts[0], 'r');
        if (!fullNonce.startsWith(nonce) || fullNonce.length() == nonce.length()) {
            throw new LoginException("SCRAM challenge does not continue our nonce: it belongs to another exchange");
        }
        byte[] salt = ScramMessages.fromBase64(ScramMessages.attribute(parts[1], 's'));
        int iterations = ScramMessages.iterations(ScramMessages.attribute(parts[2], 'i'));

        String finalWithoutProof = "c=" + ScramMessages.base64(ScramMessages.bytes(GS2_HEADER)) + ",r=" + fullNonce;
        byte[] authMessage = ScramMessages.bytes(firstBare + "," + serverFirst + "," + finalWithoutProof);
        ScramKeys keys = ScramKeys.derive(hash, password, salt, iterations);
        expectedSignature = Optional.of(keys.serverSignature(authMessage));
        state = State.FINAL_SENT;
        return ScramMessages.data(finalWithoutProof + ",p=" + ScramMessages.base64(keys.clientProof(authMessage)));
    }

    @Override
    public void onOk(ByteBuffer data) {
        move(State.FINAL_SENT, State.DONE);
        String verifier = ScramMessages.text(data).split(",", -1)[0];
        byte[] signature = ScramMessages.fromBase64(ScramMessages.attribute(verifier, 'v'));
        if (!MessageDigest.isEqual(expectedSignature.orElseThrow(), signature)) {
            throw new LoginException(
                    "The server accepted us without knowing our user's key: it is not who it claims to be");
        }
    }

    private void move(State from, State to) {
        if (state != from) {
            throw new LoginException(mechanism().wireName() + " login is in state " + state + ", not " + from);
        }
        state = to;
    }
}
