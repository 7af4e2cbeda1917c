package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which of several limits holds, and those of time and of connections; set and seen through Kafka's own clients. */
class QuotaPrecedenceTest {

    private static final double LOW = 10_000;
    private static final double HIGH = 100_000_000;
    private static final int SENT_BYTES = 60_000;

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        StringBuilder users = new StringBuilder("org.apache.kafka.common.security.plain.PlainLoginModule required");
        for (int i = 0; i < 20; i++) {
            users.append(" user_u").append(i).append("=\"p\"");
        }
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("quota.window.num", "2")
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0,PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN")
                .config("plain.sasl.jaas.config", users + ";")
                .start();
        admin = Admin.create(as("u19", "admin"));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    private static Map<String, Object> as(String user, String clientId) {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, Map.of("client.id", clientId)));
        config.put("security.protocol", "SASL_PLAINTEXT");
        config.put("sasl.mechanism", "PLAIN");
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
                        + "\" password=\"p\";");
        config.put("enable.idempotence", false);
        return config;
    }

    private static void limit(Map<String, @Nullable String> whose, String key, @Nullable Double limit) {
        AdminCalls.await(admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(whose), List.of(new ClientQuotaAlteration.Op(key, limit)))))
                .all());
    }

    /** Sends more than the low limit allows at once; returns for how long the producer was told to be quiet at most, in ms. */
    private static double throttledMs(String user, String clientId) throws Exception {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, as(user, clientId))) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                sent.add(producer.send(new ProducerRecord<>("limited", "x".repeat(SENT_BYTES / 2))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
            return producer.metrics().entrySet().stream()
                    .filter(entry -> entry.getKey().name().equals("produce-throttle-time-max"))
                    .mapToDouble(entry -> (double) entry.getValue().metricValue())
                    .max()
                    .orElseThrow();
        }
    }

    private static Map<String, @Nullable String> whose(@Nullable String user, @Nullable String client) {
        Map<String, @Nullable String> whose = new HashMap<>();
        if (user != null) {
            whose.put("user", user.isEmpty() ? null : user);
        }
        if (client != null) {
            whose.put("client-id", client.isEmpty() ? null : client);
        }
        return whose;
    }

    /** The order of Kafka's documentation: the first of these that is set holds, however strict those behind it are. */
    private static List<Map<String, @Nullable String>> order(String user, String client) {
        return List.of(
                whose(user, client),
                whose(user, ""),
                whose(user, null),
                whose("", client),
                whose("", ""),
                whose("", null),
                whose(null, client),
                whose(null, ""));
    }

    @Test
    void shouldHoldTheMostSpecificLimitAndNoOther() throws Exception {
        String key = "producer_byte_rate";
        int next = 0;
        for (int level = 0; level < 8; level++) {
            for (boolean strict : new boolean[] {false, true}) {
                String user = "u" + next++;
                String client = "c-" + user;
                List<Map<String, @Nullable String>> order = order(user, client);
                for (int i = level; i < order.size(); i++) {
                    limit(order.get(i), key, (i == level) == strict ? LOW : HIGH);
                }

                double throttledMs = throttledMs(user, client);

                if (strict) {
                    assertThat(throttledMs).as("level %d", level).isPositive();
                } else {
                    assertThat(throttledMs).as("level %d", level).isZero();
                }
                for (Map<String, @Nullable String> each : order) {
                    limit(each, key, null);
                }
            }
        }
    }

    @Test
    void shouldTellWhoUsesTooMuchTimeAndNobodyElse() throws Exception {
        limit(whose(null, "busy"), "request_percentage", 0.001);

        await().until(() -> throttledMs("u18", "busy") > 0);
        assertThat(throttledMs("u18", "free")).isZero();
        limit(whose(null, "busy"), "request_percentage", null);
    }

    /** Connects from an address of this machine; returns whether it is served. */
    private static boolean isServed(String from) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), broker.port("PLAINTEXT"), InetAddress.getByName(from), 0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(RawKafka.frame(
                            new RequestHeader(ApiKeys.API_VERSIONS, (short) 0, "many", 1),
                            new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0)));
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketException refused) {
            return false;
        }
    }

    private static int served(String from) throws IOException {
        int served = 0;
        for (int i = 0; i < 30; i++) {
            served += isServed(from) ? 1 : 0;
        }
        return served;
    }

    @Test
    void shouldRefuseAnAddressThatConnectsTooOften() throws Exception {
        Map<String, @Nullable String> limited = Map.of("ip", "127.0.0.5");
        limit(limited, "connection_creation_rate", 3.0);

        assertThat(served("127.0.0.5")).isBetween(1, 20);
        assertThat(served("127.0.0.6")).isEqualTo(30);

        limit(limited, "connection_creation_rate", null);
        await().until(() -> served("127.0.0.5") == 30);

        Map<String, @Nullable String> everybody = new HashMap<>();
        everybody.put("ip", null);
        limit(everybody, "connection_creation_rate", 3.0);
        assertThat(served("127.0.0.7")).isBetween(1, 20);
        limit(Map.of("ip", "127.0.0.8"), "connection_creation_rate", 1_000.0);
        assertThat(served("127.0.0.8")).isEqualTo(30);
        limit(everybody, "connection_creation_rate", null);
    }
}
