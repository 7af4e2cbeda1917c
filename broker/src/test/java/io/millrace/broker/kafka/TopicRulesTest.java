package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the settings of a topic mean to those who write and read it. */
class TopicRulesTest {

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldGiveRecordsTheTimeOfTheirAppendWhereTheTopicWantsIt() throws Exception {
        create("appended", Map.of("message.timestamp.type", "LogAppendTime"));
        long before = System.currentTimeMillis();
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            RecordMetadata stored = producer.send(new ProducerRecord<>("appended", null, 12L, "k", "v"))
                    .get();

            ConsumerRecord<String, String> record = read("appended", 1).getFirst();
            assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
            assertThat(record.timestamp()).isEqualTo(stored.timestamp()).isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    void shouldFindOffsetsByTime() throws Exception {
        create("timed", Map.of("retention.ms", "-1"));
        TopicPartition partition = new TopicPartition("timed", 0);
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of());
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            for (long time : new long[] {1000, 3000, 2000, 4000}) {
                producer.send(new ProducerRecord<>("timed", 0, time, "k", "v" + time))
                        .get();
            }

            assertThat(consumer.offsetsForTimes(Map.of(partition, 2500L)).get(partition))
                    .satisfies(found -> assertThat(found.offset()).isEqualTo(1))
                    .satisfies(found -> assertThat(found.timestamp()).isEqualTo(3000));
            assertThat(consumer.offsetsForTimes(Map.of(partition, 4001L))).containsEntry(partition, null);
        }
        assertThat(offset(partition, OffsetSpec.maxTimestamp()).offset()).isEqualTo(3);
        assertThat(offset(partition, OffsetSpec.earliest()).offset()).isZero();
        assertThat(offset(partition, OffsetSpec.latest()).offset()).isEqualTo(4);
        assertThat(offset(partition, OffsetSpec.forTimestamp(1500)).offset()).isEqualTo(1);
    }

    @Test
    void shouldRefuseATimeThatIsTooFarAway() throws Exception {
        create("bounded", Map.of("message.timestamp.before.max.ms", "1000"));

        assertThatThrownBy(() -> send("bounded", Map.of(), new ProducerRecord<>("bounded", 0, 1L, "k", "v")))
                .hasCauseInstanceOf(InvalidTimestampException.class);
    }

    @Test
    void shouldRefuseARecordWithoutKeyInACompactedTopic() throws Exception {
        create("compacted", Map.of("cleanup.policy", "compact"));

        assertThatThrownBy(() -> send("compacted", Map.of(), new ProducerRecord<>("compacted", "no key")))
                .hasCauseInstanceOf(InvalidRecordException.class);
    }

    @Test
    void shouldRefuseABatchThatIsTooLargeForTheTopicOnly() throws Exception {
        create("small", Map.of("max.message.bytes", "1000"));

        assertThatThrownBy(() -> send("small", Map.of(), new ProducerRecord<>("small", "x".repeat(2000))))
                .hasCauseInstanceOf(RecordTooLargeException.class);
        send("small", Map.of(), new ProducerRecord<>("small", "x".repeat(500)));
    }

    @Test
    void shouldRefuseWhatWaitsForMoreReplicasThanThereAre() throws Exception {
        create("two-in-sync", Map.of("min.insync.replicas", "2"));
        Map<String, Object> impatient = Map.of("delivery.timeout.ms", 1500, "request.timeout.ms", 1000, "linger.ms", 0);

        assertThatThrownBy(() -> send("two-in-sync", impatient, new ProducerRecord<>("two-in-sync", "v")))
                .cause()
                .isInstanceOfAny(NotEnoughReplicasException.class, TimeoutException.class);
        Map<String, Object> leaderOnly = new HashMap<>(impatient);
        leaderOnly.putAll(Map.of("acks", "1", "enable.idempotence", false));
        send("two-in-sync", leaderOnly, new ProducerRecord<>("two-in-sync", "v"));
    }

    @Test
    void shouldGiveABatchThatIsLargerThanAFetchMayBe() throws Exception {
        create("wide", Map.of());
        send("wide", Map.of(), new ProducerRecord<>("wide", "x".repeat(100_000)));
        send("wide", Map.of(), new ProducerRecord<>("wide", "y".repeat(100_000)));
        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, Map.of("max.partition.fetch.bytes", 1000, "fetch.max.bytes", 1000))) {
            consumer.assign(List.of(new TopicPartition("wide", 0)));

            assertThat(KafkaClients.poll(consumer, 2))
                    .extracting(record -> record.value().length())
                    .containsOnly(100_000);
        }
    }

    @Test
    void shouldTellAConsumerThatItsOffsetIsGone() throws Exception {
        create("beyond", Map.of());
        send("beyond", Map.of(), new ProducerRecord<>("beyond", "v"));
        TopicPartition partition = new TopicPartition("beyond", 0);
        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, Map.of("auto.offset.reset", "none"))) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 100);

            assertThatThrownBy(() -> KafkaClients.poll(consumer, 1)).isInstanceOf(OffsetOutOfRangeException.class);
        }
    }

    @Test
    void shouldKeepEachPartitionInOrderAndReadThemAll() throws Exception {
        admin.createTopics(List.of(new NewTopic("many", 12, (short) 1))).all().get();
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of());
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            for (int i = 0; i < 1200; i++) {
                var _ = producer.send(new ProducerRecord<>("many", i % 12, "k", Integer.toString(i)));
            }
            producer.flush();
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                partitions.add(new TopicPartition("many", i));
            }
            consumer.assign(partitions);

            List<ConsumerRecord<String, String>> records = KafkaClients.poll(consumer, 1200);

            assertThat(records)
                    .hasSize(1200)
                    .allSatisfy(record -> assertThat(Integer.parseInt(record.value()))
                            .isEqualTo((int) record.offset() * 12 + record.partition()));
        }
    }

    private static void create(String topic, Map<String, String> config) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(config)))
                .all()
                .get(20, TimeUnit.SECONDS);
    }

    private static void send(String topic, Map<String, Object> config, ProducerRecord<String, String> record)
            throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, config)) {
            assertThat(producer.send(record).get().topic()).isEqualTo(topic);
        }
    }

    private static List<ConsumerRecord<String, String>> read(String topic, int count) {
        try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            return KafkaClients.poll(consumer, count);
        }
    }

    private static ListOffsetsResultInfo offset(TopicPartition partition, OffsetSpec spec) throws Exception {
        return admin.listOffsets(Map.of(partition, spec))
                .partitionResult(partition)
                .get(20, TimeUnit.SECONDS);
    }
}
