package io.millrace.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Administrator;
import io.millrace.broker.EmbeddedBroker;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who guesses learns nothing from how a login fails: a user that is not there fails as a wrong password does, in words, steps and time. */
class LoginTimingTest {

    private static final int TRIES = 5;
    private static final int DELAY_MS = 200;

    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512")
                .config("connection.failed.authentication.delay.ms", Integer.toString(DELAY_MS))
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_filed=\"secret\";")
                .start();
        new Administrator(broker).user("stored", "secret");
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private record Attempt(long tookMs, List<String> said) {}

    private static SaslAuthenticateResponse say(RawKafka raw, byte[] bytes) {
        return (SaslAuthenticateResponse) raw.ask(
                ApiKeys.SASL_AUTHENTICATE,
                (short) 2,
                new SaslAuthenticateRequest(new SaslAuthenticateRequestData().setAuthBytes(bytes), (short) 2));
    }

    private static Attempt attempt(String mechanism, String user) {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.ask(
                    ApiKeys.SASL_HANDSHAKE,
                    (short) 1,
                    new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism(mechanism), (short) 1));
            List<String> said = new ArrayList<>();
            byte[] last;
            if (mechanism.equals("PLAIN")) {
                last = ("\0" + user + "\0guessed").getBytes(UTF_8);
            } else {
                SaslAuthenticateResponse challenge = say(raw, ("n,,n=" + user + ",r=guess").getBytes(UTF_8));
                said.add(challenge.error().name());
                String first = new String(challenge.saslAuthBytes(), UTF_8);
                // Nonce and salt are not the same for any two users; their lengths and the iterations say nothing
                // either.
                said.add(first.replaceAll("[rs]=[^,]*", "x") + " " + first.length());
                String nonce = first.substring(first.indexOf("r=") + 2, first.indexOf(','));
                int proofBytes = mechanism.endsWith("512") ? 64 : 32;
                last = ("c=biws,r=" + nonce + ",p=" + Base64.getEncoder().encodeToString(new byte[proofBytes]))
                        .getBytes(UTF_8);
            }
            long beganNs = System.nanoTime();
            SaslAuthenticateResponse refused = say(raw, last);
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            assertThat(refused.error()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED);
            said.add(refused.errorMessage());
            assertThat(raw.isClosedByPeer()).isTrue();
            return new Attempt(tookMs, said);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
    void shouldFailAlikeForUsersThatAreThereAndThoseThatAreNot(String mechanism) {
        List<Long> known = new ArrayList<>();
        List<Long> unknown = new ArrayList<>();
        Set<List<String>> said = new HashSet<>();
        for (int i = 0; i < TRIES; i++) {
            Attempt there = attempt(mechanism, i % 2 == 0 && mechanism.equals("PLAIN") ? "filed" : "stored");
            Attempt notThere = attempt(mechanism, "nobody");
            known.add(there.tookMs);
            unknown.add(notThere.tookMs);
            if (mechanism.equals("PLAIN")) {
                said.add(there.said);
                said.add(notThere.said);
            } else {
                said.add(List.of(there.said.getLast()));
                said.add(List.of(notThere.said.getLast()));
            }
        }

        assertThat(said).hasSize(1);
        assertThat(Collections.min(known)).isGreaterThanOrEqualTo(DELAY_MS - 1L);
        assertThat(Collections.min(unknown)).isGreaterThanOrEqualTo(DELAY_MS - 1L);
        assertThat(Math.abs(median(known) - median(unknown)))
                .as("known %s, unknown %s", known, unknown)
                .isLessThan(60);
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
