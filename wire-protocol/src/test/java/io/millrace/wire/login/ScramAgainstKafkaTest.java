package io.millrace.wire.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.security.scram.ScramCredentialCallback;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;
import org.apache.kafka.common.security.scram.internals.ScramSaslServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same users must be able to come through the Kafka door: Kafka's implementation on one side, ours on the other. */
class ScramAgainstKafkaTest {

    /** ASCII, since Kafka's parser takes no other characters in a user name. */
    private static final String USER = "jurgen, =er";

    private static final String PASSWORD = "p\u00E4ss, =w\u00F6rd";
    private static final int ITERATIONS = 4_096;
    private static final byte[] SALT = "salt-of-user".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @EnumSource
    void shouldDeriveTheSameCredential(ScramHash hash) throws GeneralSecurityException {
        ScramCredential ours = ScramCredential.derive(hash, PASSWORD, SALT, ITERATIONS);
        ScramFormatter kafka = new ScramFormatter(kafkaMechanism(hash));
        org.apache.kafka.common.security.scram.ScramCredential theirs =
                kafka.generateCredential(SALT, kafka.saltedPassword(PASSWORD, SALT, ITERATIONS), ITERATIONS);

        assertThat(ours.storedKey()).isEqualTo(theirs.storedKey());
        assertThat(ours.serverKey()).isEqualTo(theirs.serverKey());
    }

    @ParameterizedTest
    @EnumSource
    void shouldLogInAtKafkasServer(ScramHash hash) throws GeneralSecurityException, SaslException {
        ScramCredential ours = ScramCredential.derive(hash, PASSWORD, SALT, ITERATIONS);
        CallbackHandler credentials = callbacks -> {
            for (Callback callback : callbacks) {
                if (callback instanceof ScramCredentialCallback asked) {
                    asked.scramCredential(new org.apache.kafka.common.security.scram.ScramCredential(
                            ours.salt(), ours.storedKey(), ours.serverKey(), ours.iterations()));
                }
            }
        };
        ScramSaslServer server = new ScramSaslServer(kafkaMechanism(hash), Map.of(), credentials);
        ClientLogin client = ClientLogin.scram(hash, USER, PASSWORD, new SplittableRandom(2));

        byte[] serverFirst = server.evaluateResponse(bytes(client.first()));
        byte[] serverFinal = server.evaluateResponse(bytes(client.onChallenge(ByteBuffer.wrap(serverFirst))));
        client.onOk(ByteBuffer.wrap(serverFinal));

        assertThat(server.isComplete()).isTrue();
        assertThat(server.getAuthorizationID()).isEqualTo(USER);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetKafkasClientIn(ScramHash hash) throws GeneralSecurityException, SaslException {
        CallbackHandler identity = callbacks -> {
            for (Callback callback : callbacks) {
                if (callback instanceof NameCallback name) {
                    name.setName(USER);
                } else if (callback instanceof PasswordCallback password) {
                    password.setPassword(PASSWORD.toCharArray());
                } else if (callback instanceof ScramExtensionsCallback extensions) {
                    extensions.extensions(Map.of());
                }
            }
        };
        ScramSaslClient client = new ScramSaslClient(kafkaMechanism(hash), identity);
        ScramCredential credential = ScramCredential.derive(hash, PASSWORD, SALT, ITERATIONS);
        ServerLogin server = ServerLogin.scram(
                hash,
                (user, which) -> user.equals(USER) ? Optional.of(credential) : Optional.empty(),
                new SplittableRandom(3),
                SECRET);

        LoginStep challenge = server.onData(ByteBuffer.wrap(client.evaluateChallenge(new byte[0])));
        byte[] clientFinal = client.evaluateChallenge(bytes(((LoginStep.Challenge) challenge).data()));
        LoginStep.Accepted accepted = (LoginStep.Accepted) server.onData(ByteBuffer.wrap(clientFinal));
        client.evaluateChallenge(bytes(accepted.data()));

        assertThat(client.isComplete()).isTrue();
        assertThat(accepted.principal()).isEqualTo(USER);
    }

    private static ScramMechanism kafkaMechanism(ScramHash hash) {
        return ScramMechanism.forMechanismName(hash.mechanism().wireName());
    }

    private static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.duplicate().get(bytes);
        return bytes;
    }
}
