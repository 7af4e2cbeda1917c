package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.Administrator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits of what clients use, through Kafka's own clients. */
class QuotaTest {

    private static EmbeddedBroker broker;
    private static Administrator admin;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("quota.window.num", "3")
                .config("listeners", "PLAINTEXT://127.0.0.1:0,OTHER://127.0.0.1:0")
                .config("listener.security.protocol.map", "OTHER:PLAINTEXT")
                .start();
        admin = new Administrator(broker);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static QuotaEntity client(String id) {
        return new QuotaEntity(Optional.empty(), Optional.of(QuotaSubject.of(id)), Optional.empty());
    }

    private static long sendMs(String clientId, int bytes) throws Exception {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(
                broker, Map.of("client.id", clientId, "batch.size", 10_000, "enable.idempotence", false))) {
            producer.partitionsFor("limited");
            long beganNs = System.nanoTime();
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < bytes / 10_000; i++) {
                sent.add(producer.send(new ProducerRecord<>("limited", "x".repeat(10_000))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            if (clientId.equals("slow")) {
                assertThat(metric(producer.metrics(), "produce-throttle-time-max"))
                        .isPositive();
            }
            return tookMs;
        }
    }

    private static double metric(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .mapToDouble(entry -> (double) entry.getValue().metricValue())
                .max()
                .orElseThrow();
    }

    @Test
    void shouldSlowDownAProducerThatIsOverItsLimitAndNobodyElse() throws Exception {
        admin.quota(client("slow"), QuotaKey.PRODUCER_BYTE_RATE, 200_000);

        long slowMs = sendMs("slow", 1_000_000);
        long freeMs = sendMs("free", 1_000_000);

        // 1 MB at 200 KB/s, of which two seconds' worth go at once.
        assertThat(slowMs).isGreaterThan(1_500);
        assertThat(freeMs).isLessThan(slowMs);
    }

    @Test
    void shouldSlowDownAConsumerThatIsOverItsLimit() throws Exception {
        sendMs("filler", 1_000_000);
        admin.quota(client("reader"), QuotaKey.CONSUMER_BYTE_RATE, 200_000);
        TopicPartition partition = new TopicPartition("limited", 0);
        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, Map.of("client.id", "reader", "fetch.max.bytes", 100_000))) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long beganNs = System.nanoTime();

            KafkaClients.poll(consumer, 100);

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs))
                    .isGreaterThan(1_500);
            assertThat(metric(consumer.metrics(), "fetch-throttle-time-max")).isPositive();
        }
    }

    @Test
    void shouldRefuseMoreChangesThanAClientMayMake() throws Exception {
        admin.quota(client("changer"), QuotaKey.CONTROLLER_MUTATION_RATE, 1);
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, Map.of("client.id", "changer")));
        try (Admin changer = Admin.create(config)) {
            CreateTopicsResult both = changer.createTopics(
                    List.of(new NewTopic("first", 5, (short) 1), new NewTopic("second", 1, (short) 1)),
                    new CreateTopicsOptions().retryOnQuotaViolation(false));

            // Three seconds' worth of changes may begin at once.
            Objects.requireNonNull(both.values().get("first")).get(15, TimeUnit.SECONDS);
            assertThatThrownBy(() ->
                            Objects.requireNonNull(both.values().get("second")).get(15, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ThrottlingQuotaExceededException.class);
            // The client's own retry waits for so long as it was told.
            changer.createTopics(List.of(new NewTopic("third", 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }
}
