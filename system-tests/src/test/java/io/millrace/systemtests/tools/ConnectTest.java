package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connect's standalone worker with the file connectors, and MirrorMaker between two brokers; both start while the first test waits. */
@Timeout(240)
final class ConnectTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    static Path directory;

    private static final List<Process> STARTED = new ArrayList<>();
    private static BrokerProcess here;
    private static BrokerProcess there;

    @BeforeAll
    static void startWorkers() throws IOException {
        here = broker("here");
        there = broker("there");
        Files.writeString(directory.resolve("test.txt"), "foo\nbar\n");
        Path worker = config(
                "connect-standalone.properties",
                Map.of(
                        "bootstrap.servers", here.address(),
                        "offset.storage.file.filename",
                                directory.resolve("offsets").toString(),
                        "listeners", "http://127.0.0.1:0"));
        start(
                "connect-standalone.sh",
                worker,
                config("connect-file-source.properties", Map.of()),
                config("connect-file-sink.properties", Map.of()));
        start(
                "connect-mirror-maker.sh",
                config(
                        "connect-mirror-maker.properties",
                        Map.of(
                                "A.bootstrap.servers", here.address(),
                                "B.bootstrap.servers", there.address(),
                                "A->B.topics", "mirrored.*",
                                "refresh.topics.interval.seconds", "1",
                                "offset.storage.partitions", "1",
                                "status.storage.partitions", "1")));
    }

    @AfterAll
    static void stop() {
        STARTED.forEach(Process::destroyForcibly);
        here.close();
        there.close();
    }

    @Test
    void shouldCopyAFileIntoATopicAndThatIntoAFile() throws IOException {
        Path sink = directory.resolve("test.sink.txt");
        awaitThat(() -> Files.exists(sink) && Files.readString(sink).equals("foo\nbar\n"), "connect-standalone.sh");
        assertThat(read(here, "connect-test", 2))
                .containsExactly(
                        "{\"schema\":{\"type\":\"string\",\"optional\":false},\"payload\":\"foo\"}",
                        "{\"schema\":{\"type\":\"string\",\"optional\":false},\"payload\":\"bar\"}");

        Files.writeString(directory.resolve("test.txt"), "Another line\n", StandardOpenOption.APPEND);

        awaitThat(() -> Files.readString(sink).equals("foo\nbar\nAnother line\n"), "connect-standalone.sh");
    }

    @Test
    void shouldMirrorATopicToAnotherBroker() throws IOException, InterruptedException, ExecutionException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, here.address()),
                new StringSerializer(),
                new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sent.add(producer.send(new ProducerRecord<>("mirrored-prices", "k" + i, "v" + i)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }

        List<String> expected = IntStream.range(0, 100).mapToObj(i -> "v" + i).toList();
        assertThat(read(there, "A.mirrored-prices", 100))
                .as(log("connect-mirror-maker.sh"))
                .isEqualTo(expected);
    }

    private static BrokerProcess broker(String name) throws IOException {
        return BrokerProcess.start(
                Distribution.home(), directory.resolve(name), 0, directory.resolve(name + ".log"), List.of());
    }

    /** Returns a copy of a file in the distribution's {@code config/} with other values. */
    private static Path config(String name, Map<String, String> changes) throws IOException {
        Map<String, String> left = new TreeMap<>(changes);
        List<String> lines = new ArrayList<>();
        for (String line :
                Files.readAllLines(Distribution.home().resolve("config").resolve(name))) {
            String key = line.replaceFirst("=.*", "");
            String value = left.remove(key);
            lines.add(value == null ? line : key + "=" + value);
        }
        left.forEach((key, value) -> lines.add(key + "=" + value));
        return Files.write(directory.resolve(name), lines);
    }

    private static void start(String script, Path... files) throws IOException {
        String[] names = Arrays.stream(files).map(Path::toString).toArray(String[]::new);
        STARTED.add(new Scripts(directory)
                .builder(script, names)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(script + ".log").toFile())
                .start());
    }

    private static void awaitThat(Callable<Boolean> condition, String script) throws IOException {
        try {
            await().atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(log(script), late);
        }
    }

    private static String log(String script) throws IOException {
        return Files.readString(directory.resolve(script + ".log"));
    }

    /** Reads the first values of partition 0, however long it takes until they are there. */
    private static List<String> read(BrokerProcess broker, String topic, int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        broker.address(),
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false),
                new StringDeserializer(),
                new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            await().atMost(PATIENCE).until(() -> consumer.listTopics().containsKey(topic));
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
        }
        return values;
    }
}
