package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kafka Streams: words counted in a state store, through restarts of the program, of the broker, and the loss of the store's directory; with
 * records that may be processed again after an error, and in transactions.
 */
@Timeout(240)
final class WordCountTest {
    private static final String LINES = "lines";
    private static final String COUNTS = "counts";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    private BrokerProcess broker;
    private String guarantee = "";

    @BeforeEach
    void startBroker() throws IOException {
        broker = start(0);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, StreamsConfig.EXACTLY_ONCE_V2})
    void shouldGoOnCountingAfterRestarts(String processingGuarantee)
            throws IOException, InterruptedException, ExecutionException {
        guarantee = processingGuarantee;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic(LINES, 2, (short) 1), new NewTopic(COUNTS, 2, (short) 1)))
                    .all()
                    .get();
        }
        try (KafkaStreams streams = streams()) {
            streams.start();
            send("the mill and the race");
            awaitCounts(Map.of("the", 2L, "mill", 1L, "and", 1L, "race", 1L));
        }

        // The program again, its store where it was; and the broker in between.
        int port = broker.port();
        broker.terminate();
        broker = start(port);
        try (KafkaStreams streams = streams()) {
            streams.start();
            send("the race");
            awaitCounts(Map.of("the", 3L, "mill", 1L, "and", 1L, "race", 2L));

            // The broker dies and comes back while the program runs.
            broker.kill();
            broker = start(port);
            send("the mill");
            awaitCounts(Map.of("the", 4L, "mill", 2L, "and", 1L, "race", 2L));
        }

        // On a machine that has no store: it is made again from its changelog.
        delete(directory.resolve("streams"));
        try (KafkaStreams streams = streams()) {
            streams.start();
            send("and and");
            awaitCounts(Map.of("the", 4L, "mill", 2L, "and", 3L, "race", 2L));
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            assertThat(admin.listTopics().names().get())
                    .contains("word-count-store-changelog", "word-count-store-repartition");
        }
    }

    private BrokerProcess start(int port) throws IOException {
        return BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), port, directory.resolve("broker.log"), List.of());
    }

    private KafkaStreams streams() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                StreamsConfig.APPLICATION_ID_CONFIG,
                "word-count",
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                guarantee,
                StreamsConfig.STATE_DIR_CONFIG,
                directory.resolve("streams").toString(),
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                100,
                StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG,
                Serdes.StringSerde.class,
                StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG,
                Serdes.StringSerde.class,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"));
        // A Streams program does not leave its group when it ends, so that the next one waits until the group has
        // missed it.
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
        return new KafkaStreams(topology(), properties);
    }

    private static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(LINES)
                .flatMapValues(line -> List.of(line.toLowerCase(Locale.ROOT).split(" ", -1)))
                .groupBy((key, word) -> word, Grouped.as("store"))
                .count(Materialized.as("store"))
                .toStream()
                .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }

    private void send(String line) throws InterruptedException, ExecutionException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(LINES, line)).get();
        }
    }

    /** The last count of each word, as somebody sees it who reads the topic from its beginning. */
    private void awaitCounts(Map<String, Long> expected) {
        try (KafkaConsumer<String, Long> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        broker.address(),
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed"),
                new StringDeserializer(),
                new LongDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(COUNTS, 0), new TopicPartition(COUNTS, 1));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<String, Long> counts = new TreeMap<>();
            await().atMost(PATIENCE).untilAsserted(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> counts.put(record.key(), record.value()));
                assertThat(counts).containsExactlyInAnyOrderEntriesOf(expected);
            });
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
