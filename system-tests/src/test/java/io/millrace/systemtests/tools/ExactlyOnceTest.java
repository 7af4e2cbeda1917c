package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are consumed, and produced again, in transactions, while the broker is killed again and again: each of them is there once. */
@Timeout(300)
final class ExactlyOnceTest {
    private static final int COUNT = 4_000;
    private static final int PARTITIONS = 4;
    private static final int KILLS = 4;

    @TempDir
    Path directory;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger commits = new AtomicInteger();
    private final List<String> given = new ArrayList<>();
    private volatile BrokerProcess broker;
    private String protocol = "";

    @BeforeEach
    void startBroker() throws IOException {
        broker = start(0);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    private BrokerProcess start(int port) throws IOException {
        return BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                port,
                directory.resolve("broker.log"),
                List.of("group.initial.rebalance.delay.ms=0"));
    }

    private Map<String, Object> config(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", broker.address());
        return config;
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"classic", "consumer"})
    void shouldCopyEachRecordOnceThoughTheBrokerIsKilled(String groupProtocol)
            throws IOException, InterruptedException, ExecutionException {
        protocol = groupProtocol;
        try (Admin admin = Admin.create(config(Map.of()))) {
            admin.createTopics(List.of(
                            new NewTopic("in", PARTITIONS, (short) 1), new NewTopic("out", PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
        fill();
        try (ExecutorService copiers = Executors.newFixedThreadPool(2)) {
            List<Future<?>> running =
                    List.of(copiers.submit(() -> copy("copier-0")), copiers.submit(() -> copy("copier-1")));
            try {
                for (int i = 0; i < KILLS; i++) {
                    int before = commits.get();
                    // In the middle of transactions.
                    await().atMost(60, TimeUnit.SECONDS).until(() -> commits.get() > before + 3 || isAllCopied());
                    int port = broker.port();
                    broker.kill();
                    broker = start(port);
                }
                await().atMost(120, TimeUnit.SECONDS).until(this::isAllCopied);
            } finally {
                stop.set(true);
            }
            for (Future<?> copier : running) {
                copier.get();
            }
        }

        assertThat(copied()).containsExactlyInAnyOrderElementsOf(given);
    }

    private void fill() throws InterruptedException, ExecutionException {
        List<Future<?>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config(Map.of()), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < COUNT; i++) {
                String value = "value " + i;
                given.add(value);
                sent.add(producer.send(new ProducerRecord<>("in", i % PARTITIONS, null, value)));
            }
            for (Future<?> one : sent) {
                one.get();
            }
        }
    }

    /** What a program does: as long as a transaction can be aborted it goes on, and begins anew when it cannot. */
    private void copy(String id) {
        while (!stop.get()) {
            try (KafkaProducer<String, String> producer = producer(id);
                    KafkaConsumer<String, String> consumer = member()) {
                producer.initTransactions();
                consumer.subscribe(List.of("in"));
                while (!stop.get()) {
                    ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
                    if (!records.isEmpty()) {
                        copy(records, producer, consumer);
                    }
                }
            } catch (KafkaException unusable) {
                // Another one takes its place, and its open transaction is rolled back.
            }
        }
    }

    private void copy(
            ConsumerRecords<String, String> records,
            KafkaProducer<String, String> producer,
            KafkaConsumer<String, String> consumer) {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        producer.beginTransaction();
        for (ConsumerRecord<String, String> record : records) {
            var _ = producer.send(new ProducerRecord<>("out", record.partition(), null, record.value()));
            next.put(
                    new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        producer.sendOffsetsToTransaction(next, consumer.groupMetadata());
        producer.commitTransaction();
        commits.incrementAndGet();
    }

    private KafkaProducer<String, String> producer(String id) {
        return new KafkaProducer<>(
                config(Map.of("transactional.id", id, "transaction.timeout.ms", 10_000)),
                new StringSerializer(),
                new StringSerializer());
    }

    private KafkaConsumer<String, String> member() {
        Map<String, Object> config = new HashMap<>(Map.of(
                "group.id",
                "copiers",
                "group.protocol",
                protocol,
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "max.poll.records",
                40));
        if (protocol.equals("classic")) {
            config.put("session.timeout.ms", 6_000);
            config.put("heartbeat.interval.ms", 500);
        }
        return new KafkaConsumer<>(config(config), new StringDeserializer(), new StringDeserializer());
    }

    private boolean isAllCopied() {
        try (Admin admin = Admin.create(config(Map.of()))) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets("copiers")
                    .partitionsToOffsetAndMetadata()
                    .get(20, TimeUnit.SECONDS);
            return committed.values().stream()
                            .mapToLong(OffsetAndMetadata::offset)
                            .sum()
                    == COUNT;
        } catch (Exception notNow) {
            return false;
        }
    }

    private List<String> copied() {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new TopicPartition("out", i));
        }
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                config(Map.of("isolation.level", "read_committed")),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            // A transaction that is still open, of a copier that was stopped, ends by its timeout at the latest.
            await().atMost(60, TimeUnit.SECONDS).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return values.size() >= COUNT
                        && consumer.endOffsets(partitions).entrySet().stream()
                                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
        }
        return values;
    }
}
