package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.get;
import static io.millrace.broker.kafka.AdminCalls.valueIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions as Kafka's own producer and consumer use them, by both of its protocols: with level 1 of {@code transaction.version} partitions are
 * added by requests of their own, with level 2 by what is written to them.
 */
class TransactionClientTest {

    private static final TopicPartition A0 = new TopicPartition("a", 0);
    private static final TopicPartition A1 = new TopicPartition("a", 1);
    private static final TopicPartition B0 = new TopicPartition("b", 0);

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        broker = start(0, Map.of());
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
        AdminCalls.await(admin.createTopics(List.of(new NewTopic("a", 2, (short) 1), new NewTopic("b", 1, (short) 1)))
                .all());
    }

    private void speak(int protocol) {
        if (protocol == 1) {
            FeatureUpdate older = new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
            AdminCalls.await(admin.updateFeatures(Map.of("transaction.version", older), new UpdateFeaturesOptions())
                    .all());
        }
    }

    private EmbeddedBroker start(int port, Map<String, String> more) {
        EmbeddedBroker.Builder builder = EmbeddedBroker.builder()
                .directory(directory)
                .port(port)
                .config("group.initial.rebalance.delay.ms", "0")
                .config("group.consumer.min.heartbeat.interval.ms", "100")
                .config("group.consumer.heartbeat.interval.ms", "100")
                .config("group.consumer.assignment.interval.ms", "0");
        more.forEach(builder::config);
        return builder.start();
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private KafkaProducer<String, String> producer(String id, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of("transactional.id", id, "linger.ms", 0));
        config.putAll(more);
        return KafkaClients.producer(broker, config);
    }

    private static void send(KafkaProducer<String, String> producer, TopicPartition to, String... values)
            throws InterruptedException, ExecutionException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (String value : values) {
            sent.add(producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, value)));
        }
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    /** All that can be read now, in the order of a partition. */
    private List<String> read(String isolation, TopicPartition... partitions) {
        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, Map.of("isolation.level", isolation, "fetch.max.wait.ms", 20))) {
            List<TopicPartition> all = List.of(partitions);
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            List<String> values = new ArrayList<>();
            await().atMost(20, TimeUnit.SECONDS).pollInterval(Duration.ZERO).until(() -> {
                consumer.poll(Duration.ofMillis(50)).forEach(record -> values.add(record.value()));
                return all.stream().allMatch(partition -> consumer.position(partition) >= valueIn(ends, partition));
            });
            return values;
        }
    }

    private List<String> committed(TopicPartition... partitions) {
        return read("read_committed", partitions);
    }

    private List<String> written(TopicPartition... partitions) {
        return read("read_uncommitted", partitions);
    }

    private TransactionState state(String id) {
        return get(admin.describeTransactions(List.of(id)).description(id)).state();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldShowWhatWasCommittedAndNotWhatWasRolledBack(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> producer = producer("t", Map.of())) {
            producer.initTransactions();
            for (int round = 0; round < 3; round++) {
                producer.beginTransaction();
                send(producer, A0, "a" + round);
                send(producer, A1, "a" + round);
                send(producer, B0, "b" + round, "c" + round);
                assertThat(committed(A0)).doesNotContain("a" + round);
                assertThat(committed(B0)).doesNotContain("b" + round);
                assertThat(written(A0)).contains("a" + round);
                if (round == 1) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }

        assertThat(committed(A0)).containsExactly("a0", "a2");
        assertThat(committed(A1)).containsExactly("a0", "a2");
        assertThat(committed(B0)).containsExactly("b0", "c0", "b2", "c2");
        assertThat(written(B0)).containsExactly("b0", "c0", "b1", "c1", "b2", "c2");
        assertThat(state("t")).isEqualTo(TransactionState.COMPLETE_COMMIT);
    }

    /** Up to five requests are on the way at a time, and the first has to wait for the coordinator. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldKeepTheOrderOfBatchesThatAreSentWithoutWaiting(int protocol) {
        speak(protocol);
        List<String> expected = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer("t", Map.of("batch.size", 1))) {
            producer.initTransactions();
            for (int round = 0; round < 10; round++) {
                producer.beginTransaction();
                for (int i = 0; i < 20; i++) {
                    var _ = producer.send(new ProducerRecord<>("a", 0, null, round + "/" + i));
                    expected.add(round + "/" + i);
                }
                producer.commitTransaction();
            }
        }

        assertThat(committed(A0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldFenceAProducerWhoseSuccessorHasBegun(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> zombie = producer("t", Map.of());
                KafkaProducer<String, String> successor = producer("t", Map.of())) {
            zombie.initTransactions();
            zombie.beginTransaction();
            send(zombie, A0, "of the zombie");

            successor.initTransactions();
            successor.beginTransaction();
            send(successor, A0, "of the successor");
            successor.commitTransaction();

            assertThatThrownBy(() -> send(zombie, A0, "late"))
                    .hasCauseInstanceOf(KafkaException.class)
                    .cause()
                    .isInstanceOfAny(InvalidProducerEpochException.class, ProducerFencedException.class);
            assertThatThrownBy(zombie::commitTransaction).isInstanceOf(KafkaException.class);
        }

        assertThat(committed(A0)).containsExactly("of the successor");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldFenceAProducerThatCommitsWithoutSending(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> zombie = producer("t", Map.of());
                KafkaProducer<String, String> successor = producer("t", Map.of())) {
            zombie.initTransactions();
            zombie.beginTransaction();
            send(zombie, A0, "of the zombie");
            successor.initTransactions();

            assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }

        assertThat(committed(A0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRollBackWhatTakesLongerThanItsTimeout(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> slow = producer("t", Map.of("transaction.timeout.ms", 1_000))) {
            slow.initTransactions();
            slow.beginTransaction();
            send(slow, A0, "too slow");

            await().atMost(20, TimeUnit.SECONDS).until(() -> state("t") == TransactionState.COMPLETE_ABORT);

            assertThatThrownBy(slow::commitTransaction).isInstanceOf(KafkaException.class);
        }
        assertThat(committed(A0)).isEmpty();
        try (KafkaProducer<String, String> again = producer("t", Map.of())) {
            again.initTransactions();
            again.beginTransaction();
            send(again, A0, "in time");
            again.commitTransaction();
        }
        assertThat(committed(A0)).containsExactly("in time");
    }

    @Test
    void shouldRefuseATimeoutAboveTheBroker() {
        try (KafkaProducer<String, String> producer = producer("t", Map.of("transaction.timeout.ms", 900_001))) {
            assertThatThrownBy(producer::initTransactions).hasMessageContaining("transaction.max.timeout.ms");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, classic", "1, consumer", "2, classic", "2, consumer"})
    void shouldCommitOffsetsWithWhatWasMadeOfTheRecords(int protocol, String groupProtocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> source = KafkaClients.producer(broker, Map.of())) {
            send(source, A0, values("s", 30));
        }
        Map<String, Object> member = Map.of(
                "group.id",
                "g",
                "group.protocol",
                groupProtocol,
                "enable.auto.commit",
                "false",
                "max.poll.records",
                10);
        int rounds = 0;
        try (KafkaProducer<String, String> producer = producer("t", Map.of());
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, member)) {
            producer.initTransactions();
            consumer.subscribe(List.of("a"));
            boolean rolledBack = false;
            while (committedOffset(consumer) < 30) {
                List<ConsumerRecord<String, String>> records = new ArrayList<>();
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                for (ConsumerRecord<String, String> record : records) {
                    var _ = producer.send(new ProducerRecord<>("b", 0, null, record.value() + "!"));
                }
                long next = records.getLast().offset() + 1;
                producer.sendOffsetsToTransaction(Map.of(A0, new OffsetAndMetadata(next)), consumer.groupMetadata());
                if (++rounds == 2 && !rolledBack) {
                    producer.flush();
                    producer.abortTransaction();
                    rolledBack = true;
                    consumer.seek(A0, committedOffset(consumer));
                } else {
                    producer.commitTransaction();
                    assertThat(committedOffset(consumer)).isEqualTo(next);
                }
            }
        }

        assertThat(rounds).isGreaterThan(2);
        assertThat(committed(B0))
                .isEqualTo(IntStream.range(0, 30).mapToObj(i -> "s" + i + "!").toList());
        assertThat(written(B0)).hasSizeGreaterThan(30);
    }

    private static String[] values(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    private static long committedOffset(KafkaConsumer<String, String> consumer) {
        OffsetAndMetadata committed = consumer.committed(Set.of(A0)).get(A0);
        return committed == null ? 0 : committed.offset();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGoOnWithATransactionAfterTheBrokerWasKilled(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> producer = producer("t", Map.of());
                KafkaConsumer<String, String> group = KafkaClients.consumer(broker, Map.of("group.id", "g"))) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, A0, "before");
            producer.sendOffsetsToTransaction(Map.of(A1, new OffsetAndMetadata(7)), group.groupMetadata());

            int port = broker.port();
            broker.kill();
            broker = start(port, Map.of());

            send(producer, A0, "after");
            send(producer, B0, "after");
            assertThat(committed(A0)).isEmpty();
            producer.commitTransaction();

            assertThat(committed(A0)).containsExactly("before", "after");
            assertThat(committed(B0)).containsExactly("after");
            assertThat(group.committed(Set.of(A1))).containsEntry(A1, new OffsetAndMetadata(7));

            // And once more, to see that the next one is not held up by anything.
            producer.beginTransaction();
            send(producer, A0, "next");
            producer.commitTransaction();
            assertThat(committed(A0)).containsExactly("before", "after", "next");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRememberOutcomesOverARestart(int protocol) throws Exception {
        speak(protocol);
        try (KafkaProducer<String, String> producer = producer("t", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, A0, "yes");
            producer.commitTransaction();
            producer.beginTransaction();
            send(producer, A0, "no");
            producer.abortTransaction();
        }
        int port = broker.port();
        broker.kill();
        broker = start(port, Map.of());

        assertThat(committed(A0)).containsExactly("yes");
        assertThat(state("t")).isEqualTo(TransactionState.COMPLETE_ABORT);
        TransactionDescription before =
                get(admin.describeTransactions(List.of("t")).description("t"));
        try (KafkaProducer<String, String> producer = producer("t", Map.of())) {
            producer.initTransactions();
        }
        TransactionDescription after =
                get(admin.describeTransactions(List.of("t")).description("t"));
        assertThat(after.producerId()).isEqualTo(before.producerId());
        assertThat(after.producerEpoch()).isGreaterThan(before.producerEpoch());
    }
}
