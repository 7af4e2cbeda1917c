package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.jms.admin.MillraceAdminException;
import io.millrace.testkit.TestCertificates;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JMS clients on listeners with TLS and logins: what works, and what is said of what does not. */
class JmsOverTlsTest {

    private static final long PATIENCE_MS = 10_000;
    private static final int LARGE_CHARS = 3_000_000;

    @TempDir
    static Path directory;

    private static TestCertificates server;
    private static TestCertificates elsewhere;
    private static TestCertificates client;
    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        server = TestCertificates.create(directory, "server", "CN=localhost");
        elsewhere = TestCertificates.create(directory, "elsewhere", "CN=elsewhere", "dns:elsewhere.example");
        client = TestCertificates.create(directory, "client", "CN=carla");
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:0,SSL://127.0.0.1:0,OLD://127.0.0.1:0,ELSEWHERE://127.0.0.1:0,"
                                + "MUTUAL://127.0.0.1:0,SASL_SSL://127.0.0.1:0,PLAINONLY://127.0.0.1:0")
                .config("listener.security.protocol.map", "OLD:SSL,ELSEWHERE:SSL,MUTUAL:SSL,PLAINONLY:SASL_SSL")
                .config("ssl.keystore.type", "PEM")
                .config("ssl.keystore.location", server.keyPem().toString())
                .config("listener.name.old.ssl.enabled.protocols", "TLSv1.2")
                .config("listener.name.old.ssl.client.auth", "required")
                .config("listener.name.old.ssl.truststore.type", "PEM")
                .config(
                        "listener.name.old.ssl.truststore.location",
                        client.certificatePem().toString())
                .config(
                        "listener.name.elsewhere.ssl.keystore.location",
                        elsewhere.keyPem().toString())
                .config("listener.name.mutual.ssl.client.auth", "required")
                .config("listener.name.mutual.ssl.truststore.type", "PEM")
                .config(
                        "listener.name.mutual.ssl.truststore.location",
                        client.certificatePem().toString())
                .config("sasl.enabled.mechanisms", "SCRAM-SHA-512,SCRAM-SHA-256,PLAIN")
                .config("listener.name.plainonly.sasl.enabled.mechanisms", "PLAIN")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_ann=\"secret\";")
                .start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static String url(String listener, String options) {
        return "millrace://127.0.0.1:" + broker.port(listener) + "?" + options;
    }

    private static String trusting(TestCertificates certificates) {
        return "tlsTrust=" + certificates.certificatePem();
    }

    private static void roundTrip(MillraceConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue("round-trip");
            String large = "x".repeat(LARGE_CHARS);
            session.createProducer(queue).send(session.createTextMessage("small"));
            session.createProducer(queue).send(session.createTextMessage(large));
            connection.start();
            try (var consumer = session.createConsumer(queue)) {
                assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("small");
                assertThat(text(consumer.receive(PATIENCE_MS)).equals(large)).isTrue();
            }
        }
    }

    private static String text(Message message) throws JMSException {
        return ((TextMessage) message).getText();
    }

    private static void assertRefused(String url, String... words) {
        MillraceConnectionFactory factory = new MillraceConnectionFactory(url);
        assertThatThrownBy(() -> factory.createConnection().close())
                .isInstanceOf(JMSException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
        assertThatThrownBy(() -> factory.createAdmin().close())
                .isInstanceOf(MillraceAdminException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }

    @Test
    void shouldPassMessagesOverTls() throws JMSException {
        roundTrip(new MillraceConnectionFactory(url("SSL", trusting(server))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MUTUAL", "OLD"})
    void shouldShowACertificateWhereOneIsWanted(String listener) throws JMSException {
        MillraceConnectionFactory factory = new MillraceConnectionFactory(url(listener, trusting(server)));
        factory.setTlsCertificate(client.certificatePem().toString());
        factory.setTlsKey(client.keyPem().toString());
        roundTrip(factory);

        // One file for both, as Kafka's clients have it.
        factory.setTlsKey("");
        factory.setTlsCertificate(client.keyPem().toString());
        roundTrip(factory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SASL_SSL", "PLAINONLY"})
    void shouldLogInOverTlsAsAUserOfTheConfiguration(String listener) throws JMSException {
        roundTrip(new MillraceConnectionFactory(url(listener, "user=ann&password=secret&" + trusting(server))));

        MillraceConnectionFactory wrong =
                new MillraceConnectionFactory(url(listener, "user=ann&password=guessed&" + trusting(server)));
        assertThatThrownBy(() -> wrong.createConnection().close()).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldAdministerOverTls() {
        try (MillraceAdmin admin = MillraceAdmin.connect(url("SSL", trusting(server)))) {
            assertThat(admin.create(DestinationKind.QUEUE, "over-tls").partitions())
                    .hasSize(1);
        }
    }

    @Test
    void shouldNotTrustACertificateThatNobodyNamed() {
        assertRefused(url("SSL", "tls=true"), "certificate is not trusted", "tlsTrust");
        assertRefused(url("SSL", trusting(elsewhere)), "certificate is not trusted", "tlsTrust");
        assertRefused(url("SSL", "tlsVerifyHost=false"), "certificate is not trusted", "tlsTrust");
    }

    @Test
    void shouldNotTakeOneHostForAnother() throws JMSException {
        assertRefused(url("ELSEWHERE", trusting(elsewhere)), "certificate is not for 127.0.0.1", "tlsVerifyHost=false");

        roundTrip(new MillraceConnectionFactory(url("ELSEWHERE", "tlsVerifyHost=false&" + trusting(elsewhere))));
    }

    @ParameterizedTest
    @CsvSource({"MUTUAL", "OLD"})
    void shouldSayThatTheServerWantsACertificate(String listener) {
        assertRefused(url(listener, trusting(server)), "wants a certificate of the client", "tlsCertificate");
        assertRefused(
                url(listener, trusting(server) + "&tlsCertificate=" + elsewhere.keyPem()),
                "did not accept the certificate of tlsCertificate");
    }

    @Test
    void shouldSayThatAListenerHasNoTls() {
        assertRefused(url("PLAINTEXT", "tls=true"), "closed the connection during the handshake", "has no TLS");
    }

    @Test
    void shouldHintAtTlsWhereItIsMissing() {
        assertRefused(url("SSL", ""), "if the server's listener uses TLS, set tls=true");
    }

    @Test
    void shouldSayThatAServerSpeaksSomethingElse() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> greetTwice(other));
            assertRefused("millrace://127.0.0.1:" + other.getLocalPort() + "?tls=true", "what it answered is not TLS");
            answering.join();
        }
    }

    private static void greetTwice(ServerSocket server) {
        for (int i = 0; i < 2; i++) {
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write("220 mail.example ESMTP\r\n".getBytes(StandardCharsets.US_ASCII));
                accepted.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // The client has seen enough.
            }
        }
    }

    @Test
    void shouldNotWaitLongerForAHandshakeThanForAConnection() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            assertRefused(
                    "millrace://127.0.0.1:" + silent.getLocalPort() + "?tls=true&connectTimeout=300", "within 300 ms");
        }
    }
}
