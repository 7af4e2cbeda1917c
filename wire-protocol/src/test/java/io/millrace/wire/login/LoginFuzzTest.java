package io.millrace.wire.login;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;

/** Whatever a stranger sends as a login is refused with a reason, and nobody gets in by it; whatever a server answers ends the login. */
class LoginFuzzTest {
    private static final byte[] SECRET = new byte[16];
    private static final String PASSWORD = "pencil of 2 metres";
    private static final ScramCredential CREDENTIAL =
            ScramCredential.derive(ScramHash.SHA_256, PASSWORD, new byte[16], ScramHash.MIN_ITERATIONS);

    private static Optional<ScramCredential> find(String user, ScramHash hash) {
        return user.equals("ada") && hash == ScramHash.SHA_256 ? Optional.of(CREDENTIAL) : Optional.empty();
    }

    /** The input is the first message and the second one, divided by the first byte. */
    @FuzzTest
    void server(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int cut = 1 + Math.min(Byte.toUnsignedInt(input[0]), input.length - 1);
        ByteBuffer first = ByteBuffer.wrap(input, 1, cut - 1).slice();
        ByteBuffer second = ByteBuffer.wrap(input, cut, input.length - cut).slice();
        ServerLogin scram = ServerLogin.scram(ScramHash.SHA_256, LoginFuzzTest::find, new Random(1), SECRET);
        if (scram.onData(first.duplicate()) instanceof LoginStep.Challenge) {
            assertThat(scram.onData(second)).isInstanceOf(LoginStep.Refused.class);
        }
        // Deriving a key takes a millisecond, so only what has the form of a login comes to that.
        LoginStep step = ServerLogin.plain(LoginFuzzTest::find).onData(first);
        if (step instanceof LoginStep.Accepted accepted) {
            assertThat(accepted.principal()).isEqualTo("ada");
        }
    }

    /** The input is the challenge that a server sends, after the client's own nonce, and what it says at the end. */
    @FuzzTest
    void client(byte[] input) {
        ClientLogin login = ClientLogin.scram(ScramHash.SHA_256, "ada", PASSWORD, new Random(1));
        login.first();
        String challenge = new String(input, ISO_8859_1);
        // A million rounds are allowed and take a second: too slow to fuzz.
        if (challenge.matches("(?s).*i=\\d{5,}.*")) {
            return;
        }
        try {
            login.onChallenge(ScramMessages.data("r=" + ScramMessages.nonce(new Random(1)) + challenge));
            login.onOk(ByteBuffer.wrap(input));
        } catch (LoginException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
