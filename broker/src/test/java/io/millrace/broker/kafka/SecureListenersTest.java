package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.Administrator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.testkit.TestCertificates;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.apache.kafka.common.requests.SaslHandshakeResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners of all protocols, through Kafka's own clients. */
class SecureListenersTest {

    private static final int LARGE_BYTES = 300_000;

    @TempDir
    static Path directory;

    private static TestCertificates server;
    private static TestCertificates client;
    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        server = TestCertificates.create(directory, "server", "CN=localhost");
        client = TestCertificates.create(directory, "client", "CN=carla, OU=tests, O=millrace");
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:0,SSL://127.0.0.1:0,MUTUAL://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0,"
                                + "SASL_SSL://127.0.0.1:0,BRIEF://127.0.0.1:0,CONTROLLER://127.0.0.1:0")
                .config("listener.security.protocol.map", "MUTUAL:SSL,BRIEF:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT")
                .config("controller.listener.names", "CONTROLLER")
                .config("ssl.keystore.type", "PEM")
                .config("ssl.keystore.location", server.keyPem().toString())
                .config("listener.name.mutual.ssl.client.auth", "required")
                .config("listener.name.mutual.ssl.keystore.type", "PKCS12")
                .config(
                        "listener.name.mutual.ssl.keystore.location",
                        server.store().toString())
                .config("listener.name.mutual.ssl.keystore.password", TestCertificates.PASSWORD)
                .config("listener.name.mutual.ssl.truststore.type", "PEM")
                .config(
                        "listener.name.mutual.ssl.truststore.location",
                        client.certificatePem().toString())
                .config("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512")
                .config("listener.name.brief.connections.max.reauth.ms", "1500")
                .config(
                        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"broker\""
                                + " password=\"b\" user_paula=\"plain secret\" user_broker=\"b\";")
                .start();
        new Administrator(broker).user("sam", "scram secret");
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static Map<String, Object> of(String listener) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", "127.0.0.1:" + broker.port(listener));
        config.put("security.protocol", listener.equals("MUTUAL") ? "SSL" : listener);
        config.put("ssl.truststore.type", "PEM");
        config.put("ssl.truststore.location", server.certificatePem().toString());
        config.put("max.block.ms", "15000");
        config.put("request.timeout.ms", "10000");
        config.put("default.api.timeout.ms", "15000");
        return config;
    }

    private static Map<String, Object> withUser(String listener, String mechanism, String user, String password) {
        Map<String, Object> config = of(listener);
        config.put("security.protocol", listener.equals("BRIEF") ? "SASL_PLAINTEXT" : listener);
        config.put("sasl.mechanism", mechanism);
        String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security." + module + " required username=\"" + user + "\" password=\""
                        + password + "\";");
        return config;
    }

    private static void roundTrip(String topic, Map<String, Object> config) throws Exception {
        Map<String, Object> large = new HashMap<>(config);
        large.put("enable.idempotence", false);
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, large);
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, config)) {
            for (int i = 0; i < 4; i++) {
                producer.send(new ProducerRecord<>(
                                topic, "key", Integer.toString(i).repeat(LARGE_BYTES)))
                        .get();
            }
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));

            List<ConsumerRecord<String, String>> read = KafkaClients.poll(consumer, 4);

            for (int i = 0; i < 4; i++) {
                assertThat(read.get(i).value().equals(Integer.toString(i).repeat(LARGE_BYTES)))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldServeClientsOverTls(String version) throws Exception {
        Map<String, Object> config = of("SSL");
        config.put("ssl.enabled.protocols", version);

        roundTrip("over-" + version, config);
    }

    @Test
    void shouldServeClientsThatShowACertificate() throws Exception {
        Map<String, Object> config = of("MUTUAL");
        config.put("ssl.keystore.type", "PEM");
        config.put("ssl.keystore.location", client.keyPem().toString());

        roundTrip("mutual", config);
    }

    @Test
    void shouldRefuseClientsWithoutTheCertificateThatIsWanted() {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, of("MUTUAL"))) {
            assertThatThrownBy(() ->
                            producer.send(new ProducerRecord<>("mutual", "x")).get())
                    .hasRootCauseInstanceOf(Exception.class)
                    .satisfies(e -> assertThat(e.toString() + e.getCause()).contains("SslAuthenticationException"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SASL_PLAINTEXT,PLAIN,paula,plain secret",
        "SASL_PLAINTEXT,PLAIN,sam,scram secret",
        "SASL_PLAINTEXT,SCRAM-SHA-256,sam,scram secret",
        "SASL_PLAINTEXT,SCRAM-SHA-256,paula,plain secret",
        "SASL_PLAINTEXT,SCRAM-SHA-512,paula,plain secret",
        "SASL_SSL,SCRAM-SHA-512,sam,scram secret"
    })
    void shouldLetUsersIn(String listener, String mechanism, String user, String password) throws Exception {
        roundTrip("by-" + mechanism + "-" + user, withUser(listener, mechanism, user, password));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
    void shouldTellAWrongPasswordFromAnUnknownUserNeitherByWordsNorByTime(String mechanism) {
        Refusal wrong = refusal(withUser("SASL_PLAINTEXT", mechanism, "sam", "guessed"));
        Refusal unknown = refusal(withUser("SASL_PLAINTEXT", mechanism, "nobody", "guessed"));

        assertThat(wrong.said).isEqualTo(unknown.said);
        assertThat(wrong.tookMs).isGreaterThanOrEqualTo(100);
        assertThat(unknown.tookMs).isGreaterThanOrEqualTo(100);
    }

    private record Refusal(String said, long tookMs) {}

    private static Refusal refusal(Map<String, Object> config) {
        long beganNs = System.nanoTime();
        try (Admin admin = Admin.create(config)) {
            admin.describeCluster().nodes().get(15, TimeUnit.SECONDS);
            throw new AssertionError("was let in");
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(SaslAuthenticationException.class);
            return new Refusal(
                    String.valueOf(e.getCause().getMessage()),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTellClientsTheListenerThroughWhichTheyAsk() throws Exception {
        for (Map<String, Object> config :
                List.of(of("PLAINTEXT"), of("SSL"), withUser("SASL_SSL", "SCRAM-SHA-256", "sam", "scram secret"))) {
            try (Admin admin = Admin.create(config)) {
                assertThat(admin.describeCluster().nodes().get(15, TimeUnit.SECONDS))
                        .extracting(Node::port)
                        .containsExactly(broker.port(String.valueOf(config.get("security.protocol"))));
            }
        }
        assertThat(broker.port("CONTROLLER")).isZero();
    }

    @Test
    void shouldLetAClientGoOnThatLogsInAgain() throws Exception {
        Map<String, Object> config = withUser("BRIEF", "SCRAM-SHA-256", "sam", "scram secret");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, config)) {
            long endNs = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            await().atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        producer.send(new ProducerRecord<>("again", "x")).get();
                        return System.nanoTime() - endNs > 0;
                    });
            assertThat(producer.metrics().entrySet())
                    .filteredOn(entry -> entry.getKey().name().equals("reauthentication-latency-max"))
                    .anySatisfy(entry ->
                            assertThat((double) entry.getValue().metricValue()).isNotNaN());
        }
    }

    @Test
    void shouldRefuseMechanismsThatAreNotOffered() {
        try (RawKafka raw = new RawKafka(broker.port("SASL_PLAINTEXT"))) {
            AbstractResponse answer = raw.ask(
                    ApiKeys.SASL_HANDSHAKE,
                    (short) 1,
                    new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism("GSSAPI"), (short) 1));

            SaslHandshakeResponse handshake = (SaslHandshakeResponse) answer;
            assertThat(handshake.error()).isEqualTo(Errors.UNSUPPORTED_SASL_MECHANISM);
            assertThat(handshake.enabledMechanisms()).containsExactly("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldRefuseRequestsBeforeTheLogin() {
        try (RawKafka raw = new RawKafka(broker.port("SASL_PLAINTEXT"))) {
            assertThat(raw.ask(
                                    ApiKeys.API_VERSIONS,
                                    (short) 0,
                                    new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0))
                            .errorCounts())
                    .containsKey(Errors.NONE);
            raw.send(
                    ApiKeys.METADATA,
                    (short) 1,
                    new MetadataRequest(new MetadataRequestData().setTopics(List.of()), (short) 1));
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldRefuseLargeRequestsBeforeTheLogin() {
        try (RawKafka raw = new RawKafka(broker.port("SASL_PLAINTEXT"))) {
            raw.sendBytes(ByteBuffer.allocate(4).putInt(600 * 1024).array());
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldLetInOldClientsThatLogInWithBareFrames() {
        try (RawKafka raw = new RawKafka(broker.port("SASL_PLAINTEXT"))) {
            raw.ask(
                    ApiKeys.SASL_HANDSHAKE,
                    (short) 0,
                    new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism("PLAIN"), (short) 0));
            byte[] token = "\0paula\0plain secret".getBytes(StandardCharsets.UTF_8);
            raw.sendBytes(ByteBuffer.allocate(4 + token.length)
                    .putInt(token.length)
                    .put(token)
                    .array());
            assertThat(raw.frame().remaining()).isZero();
            assertThat(raw.ask(
                                    ApiKeys.METADATA,
                                    (short) 1,
                                    new MetadataRequest(new MetadataRequestData().setTopics(List.of()), (short) 1))
                            .errorCounts())
                    .doesNotContainKey(Errors.UNKNOWN_SERVER_ERROR);
        }
    }

    @Test
    void shouldAnswerLoginsWhereNoneIsWanted() {
        try (RawKafka raw = new RawKafka(broker.port("PLAINTEXT"))) {
            AbstractResponse answer = raw.ask(
                    ApiKeys.SASL_HANDSHAKE,
                    (short) 1,
                    new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism("PLAIN"), (short) 1));
            assertThat(((SaslHandshakeResponse) answer).error()).isEqualTo(Errors.ILLEGAL_SASL_STATE);
        }
    }
}
