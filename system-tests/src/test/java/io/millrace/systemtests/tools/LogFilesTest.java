package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka clients make a broker's directory look like, and what they find in it. */
final class LogFilesTest {
    private static final int SEGMENT_BYTES = 1 << 20;

    @TempDir
    static Path directory;

    private static BrokerProcess broker;
    private static Admin admin;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                0,
                directory.resolve("broker.log"),
                List.of("log.retention.check.interval.ms=200", "log.flush=os"));
        admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldMakeADirectoryForEachPartition() throws IOException, InterruptedException, ExecutionException {
        admin.createTopics(List.of(new NewTopic("thirteen", 13, (short) 1), new NewTopic("nineteen", 19, (short) 1)))
                .all()
                .get();

        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            assertThat(files.filter(Files::isDirectory)
                            .map(file -> file.getFileName().toString())
                            .filter(name -> name.startsWith("thirteen-") || name.startsWith("nineteen-")))
                    .hasSize(32)
                    .contains("thirteen-12", "nineteen-18");
        }
    }

    @Test
    void shouldSplitALogIntoFilesNamedByTheirFirstOffsetAndNeverChangeThem()
            throws IOException, InterruptedException, ExecutionException {
        create("split", Map.of("segment.bytes", Integer.toString(SEGMENT_BYTES)));
        produce("split", 25, 100_000, "none");
        List<Path> before = segments("split");
        assertThat(before).hasSizeGreaterThanOrEqualTo(3);
        assertThat(before.getFirst().getFileName()).hasToString("00000000000000000000.log");
        Path second = before.get(1);
        byte[] closed = Files.readAllBytes(before.getFirst());
        assertThat(closed.length).isLessThanOrEqualTo(SEGMENT_BYTES);
        assertThat(second.resolveSibling(second.getFileName().toString().replace(".log", ".index")))
                .exists();

        produce("split", 25, 100_000, "none");

        assertThat(segments("split").size()).isGreaterThan(before.size());
        assertThat(Files.readAllBytes(before.getFirst())).isEqualTo(closed);
        long firstOffset = Long.parseLong(second.getFileName().toString().replace(".log", ""));
        assertThat(readAll("split").get((int) firstOffset).offset()).isEqualTo(firstOffset);
    }

    @Test
    void shouldDeleteWhatIsExpiredWhetherItWasConsumedOrNot() throws InterruptedException, ExecutionException {
        create("expiring", Map.of("segment.bytes", Integer.toString(SEGMENT_BYTES), "retention.ms", "1000"));
        produce("expiring", 25, 100_000, "none");

        await().atMost(Duration.ofSeconds(30)).until(() -> earliest("expiring") > 0);
    }

    @Test
    void shouldStoreBatchesCompressedAsTheProducerMadeThem()
            throws IOException, InterruptedException, ExecutionException {
        for (String codec : List.of("none", "gzip", "snappy")) {
            create("codec-" + codec, Map.of());
            produce("codec-" + codec, 200, 1_000, codec);
        }

        assertThat(bytes("codec-gzip")).isLessThan(bytes("codec-none") / 10);
        assertThat(bytes("codec-snappy")).isLessThan(bytes("codec-none") / 3);
        String dump = dump("codec-gzip");
        assertThat(dump).containsPattern(", ([2-9]|\\d{2,}) records, .*compression gzip");
        assertThat(readAll("codec-gzip")).hasSize(200);
    }

    @Test
    void shouldReadTheSameTwiceAndDisturbNoGroup() throws InterruptedException, ExecutionException {
        create("kept", Map.of());
        produce("kept", 50, 100, "none");
        try (KafkaConsumer<byte[], byte[]> member =
                consumer(Map.of("group.id", "keeper", "auto.offset.reset", "earliest"))) {
            member.subscribe(List.of("kept"));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !member.poll(Duration.ofMillis(100)).isEmpty());
            member.commitSync();
        }
        long position = committed("keeper", "kept");

        List<Long> first = readAll("kept").stream().map(ConsumerRecord::offset).toList();
        List<Long> again = readAll("kept").stream().map(ConsumerRecord::offset).toList();

        assertThat(first).hasSize(50).isSorted().isEqualTo(again);
        assertThat(committed("keeper", "kept")).isEqualTo(position).isPositive();
    }

    private static void create(String topic, Map<String, String> settings)
            throws InterruptedException, ExecutionException {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings)))
                .all()
                .get();
    }

    /** Sends so many values of so many bytes, of words that compress well, in batches of at most 20 KB or one value. */
    private static void produce(String topic, int count, int size, String codec)
            throws InterruptedException, ExecutionException {
        byte[] value = new byte[size];
        Arrays.fill(value, (byte) 'w');
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "compression.type",
                        codec,
                        "linger.ms",
                        "100",
                        "batch.size",
                        "20000"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, value)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.address());
        all.put("enable.auto.commit", false);
        return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        return read;
    }

    private static long earliest(String topic) throws InterruptedException, ExecutionException {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static long committed(String group, String topic) throws InterruptedException, ExecutionException {
        return Objects.requireNonNull(admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .get(new TopicPartition(topic, 0)))
                .offset();
    }

    private static List<Path> segments(String topic) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data").resolve(topic + "-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private static long bytes(String topic) throws IOException {
        long bytes = 0;
        for (Path segment : segments(topic)) {
            bytes += Files.size(segment);
        }
        return bytes;
    }

    private static String dump(String topic) throws IOException, InterruptedException {
        return Distribution.run(
                        "",
                        "log",
                        "dump",
                        directory.resolve("data").resolve(topic + "-0").toString())
                .out();
    }
}
