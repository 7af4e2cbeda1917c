package io.millrace.wire.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramExchangeTest {

    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SALT = "salt-of-user".getBytes(StandardCharsets.US_ASCII);

    private final RandomGenerator random = new SplittableRandom(1);

    /** The example of RFC 7677, section 3. */
    @Test
    void shouldSayWhatTheRfcSays() {
        ScramClientLogin client = new ScramClientLogin(ScramHash.SHA_256, "user", "pencil", "rOprNGfwEbeRWgbNEkqO");

        assertThat(text(client.first())).isEqualTo("n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        String serverFirst = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        assertThat(text(client.onChallenge(data(serverFirst))))
                .isEqualTo("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                        + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        client.onOk(data("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    @Test
    void shouldAnswerAsTheRfcSays() {
        byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
        ScramCredential credential = ScramCredential.derive(ScramHash.SHA_256, "pencil", salt, 4_096);
        ScramServerLogin server = new ScramServerLogin(
                ScramHash.SHA_256, (user, hash) -> Optional.of(credential), "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", SECRET);

        LoginStep challenge = server.onData(data("n,,n=user,r=rOprNGfwEbeRWgbNEkqO"));
        LoginStep end = server.onData(data("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="));

        assertThat(text(((LoginStep.Challenge) challenge).data()))
                .isEqualTo("r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        assertThat(end)
                .isEqualTo(new LoginStep.Accepted("user", data("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")));
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetInWhoKnowsThePassword(ScramHash hash) {
        ClientLogin client = ClientLogin.scram(hash, "J\u00FCrgen, =er", "p\u00E4ss, =w\u00F6rd", random);
        ServerLogin server = server(hash, "J\u00FCrgen, =er", "p\u00E4ss, =w\u00F6rd");

        LoginStep end = exchange(client, server);

        assertThat(end).isInstanceOf(LoginStep.Accepted.class);
        LoginStep.Accepted accepted = (LoginStep.Accepted) end;
        assertThat(accepted.principal()).isEqualTo("J\u00FCrgen, =er");
        client.onOk(accepted.data());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAWrongPassword(ScramHash hash) {
        LoginStep end = exchange(ClientLogin.scram(hash, "ann", "wrong", random), server(hash, "ann", "right"));

        assertThat(end).isEqualTo(new LoginStep.Refused("Wrong password of user ann"));
    }

    @Test
    void shouldNotLetAnUnknownUserBeToldFromAKnownOne() {
        ServerLogin first = server(ScramHash.SHA_256, "ann", "right");
        ServerLogin second = server(ScramHash.SHA_256, "ann", "right");
        ClientLogin client = ClientLogin.scram(ScramHash.SHA_256, "bob", "any", random);
        ByteBuffer hello = client.first();

        LoginStep.Challenge challenge = (LoginStep.Challenge) first.onData(hello.duplicate());
        LoginStep.Challenge again = (LoginStep.Challenge) second.onData(hello.duplicate());
        LoginStep end = first.onData(client.onChallenge(challenge.data()));

        assertThat(attribute(challenge, 's')).isEqualTo(attribute(again, 's')).hasSize(24);
        assertThat(attribute(challenge, 'i')).isEqualTo("4096");
        assertThat(end).isEqualTo(new LoginStep.Refused("There is no user bob with a SHA_256 credential"));
    }

    @Test
    void shouldFindOutAServerThatDoesNotKnowTheUser() {
        ClientLogin client = ClientLogin.scram(ScramHash.SHA_256, "ann", "right", random);
        exchange(client, server(ScramHash.SHA_256, "ann", "other"));

        assertThatThrownBy(() -> client.onOk(data("v=" + Base64.getEncoder().encodeToString(new byte[32]))))
                .isInstanceOf(LoginException.class)
                .hasMessageContaining("not who it claims to be");
    }

    @ParameterizedTest
    @ValueSource(ints = {4_095, 1_000_001, 0, -1, Integer.MAX_VALUE})
    void shouldRefuseIterationsOutOfRangeOnBothSides(int iterations) {
        ScramClientLogin client = new ScramClientLogin(ScramHash.SHA_256, "ann", "right", "abc");
        client.first();

        assertThatThrownBy(() -> client.onChallenge(data("r=abcdef,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=" + iterations)))
                .isInstanceOf(LoginException.class)
                .hasMessageContaining("must be within 4096 to 1000000, are " + iterations);
        assertThatThrownBy(() -> ScramCredential.derive(ScramHash.SHA_256, "right", SALT, iterations))
                .isInstanceOf(LoginException.class)
                .hasMessageContaining("must be within 4096 to 1000000, are " + iterations);
        assertThatThrownBy(() -> ScramCredential.of(ScramHash.SHA_256, SALT, iterations, new byte[32], new byte[32]))
                .isInstanceOf(LoginException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "r=abcdef",
                "r=abcdef,s=W22ZaJ0SNY7soEsUEjb6gQ==",
                "r=abc,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                "r=xyzdef,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                "r=abcdef,s=!!,i=4096",
                "r=abcdef,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=many",
                "m=ext,r=abcdef,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
            })
    void shouldRefuseBadChallenges(String challenge) {
        ScramClientLogin client = new ScramClientLogin(ScramHash.SHA_256, "ann", "right", "abc");
        client.first();

        assertThatThrownBy(() -> client.onChallenge(data(challenge))).isInstanceOf(LoginException.class);
        assertThatThrownBy(() -> client.onOk(data("v="))).isInstanceOf(LoginException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n,,",
                "n,,n=ann",
                "p=tls-unique,,n=ann,r=abc",
                "n,a=bob,n=ann,r=abc",
                "n,,n=,r=abc",
                "n,,n=ann,r=",
                "n,,n=an=n,r=abc",
                "n,,m=ext,n=ann,r=abc",
            })
    void shouldRefuseBadFirstMessages(String first) {
        ServerLogin server = server(ScramHash.SHA_256, "ann", "right");

        assertThat(server.onData(data(first))).isInstanceOf(LoginStep.Refused.class);
        assertThat(server.onData(data("n,,n=ann,r=abc")))
                .isEqualTo(new LoginStep.Refused("The SCRAM-SHA-256 exchange is over"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''",
                "c=biws,r=NONCE",
                "c=eSws,r=NONCE,p=PROOF",
                "c=biws,r=other,p=PROOF",
                "c=biws,r=NONCE,p=!",
                "c=biws,r=NONCE,p=AAAA",
                "r=NONCE,c=biws,p=PROOF",
            })
    void shouldRefuseBadFinalMessages(String template) {
        ScramClientLogin client = new ScramClientLogin(ScramHash.SHA_256, "ann", "right", "abc");
        ServerLogin server = server(ScramHash.SHA_256, "ann", "right");
        LoginStep.Challenge challenge = (LoginStep.Challenge) server.onData(client.first());
        String good = text(client.onChallenge(challenge.data()));
        String last = template.replace("NONCE", attribute(challenge, 'r')).replace("PROOF", good.split(",p=", 2)[1]);

        assertThat(last).isNotEqualTo(good);
        assertThat(server.onData(data(last))).isInstanceOf(LoginStep.Refused.class);
    }

    @Test
    void shouldRefuseEndlessMessages() {
        ServerLogin server = server(ScramHash.SHA_256, "ann", "right");

        assertThat(server.onData(data("n,,n=ann,r=" + "x".repeat(5_000))))
                .isEqualTo(new LoginStep.Refused("SCRAM message of 5011 bytes is longer than 4096"));
        assertThat(server(ScramHash.SHA_256, "ann", "right").onData(ByteBuffer.wrap(new byte[] {(byte) 0xFF})))
                .isEqualTo(new LoginStep.Refused("Login message is not UTF-8"));
    }

    @Test
    void shouldNotRepeatItsNonces() {
        assertThat(text(ClientLogin.scram(ScramHash.SHA_256, "ann", "right", random)
                        .first()))
                .isNotEqualTo(text(ClientLogin.scram(ScramHash.SHA_256, "ann", "right", random)
                        .first()));
    }

    @Test
    void shouldNotShowSecretsAsText() {
        ScramCredential credential = ScramCredential.derive(ScramHash.SHA_256, "right", SALT, 4_096);

        assertThat(credential.toString()).doesNotContain(Base64.getEncoder().encodeToString(credential.storedKey()));
        assertThat(new PlainMessage("ann", "right").toString()).doesNotContain("right");
    }

    static LoginStep exchange(ClientLogin client, ServerLogin server) {
        LoginStep step = server.onData(client.first());
        while (step instanceof LoginStep.Challenge challenge) {
            step = server.onData(client.onChallenge(challenge.data()));
        }
        return step;
    }

    private ServerLogin server(ScramHash hash, String user, String password) {
        ScramCredential credential = ScramCredential.derive(hash, password, SALT, 4_096);
        return ServerLogin.scram(
                hash,
                (asked, which) -> asked.equals(user) && which == hash ? Optional.of(credential) : Optional.empty(),
                random,
                SECRET);
    }

    private static String attribute(LoginStep.Challenge challenge, char name) {
        for (String part : text(challenge.data()).split(",", -1)) {
            if (part.charAt(0) == name) {
                return part.substring(2);
            }
        }
        throw new AssertionError("no attribute " + name);
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(data.duplicate()).toString();
    }

    private static ByteBuffer data(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
