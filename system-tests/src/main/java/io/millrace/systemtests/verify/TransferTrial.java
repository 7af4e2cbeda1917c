package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Two programs move numbered messages in transactions; the broker and they are killed with kill -9 and started again. In the end every number must
 * be at the destination once.
 */
public record TransferTrial(
        Path home,
        TransferMode mode,
        int kills,
        SplittableGenerator random,
        TimeSource time,
        Consumer<String> progress) {

    private static final int PROGRAMS = 2;
    private static final int MESSAGES_PER_ROUND = 300;
    private static final long LONGEST_ROUND_MS = 1_500;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long LAST_WAIT_MS = 3_000;
    private static final List<String> SETTINGS = List.of("session.grace.ms=1000", "group.initial.rebalance.delay.ms=0");

    /**
     * What came of it.
     *
     * @param sent messages that were to be moved
     * @param missing numbers that never arrived
     * @param repeated numbers that arrived more than once
     */
    public record Outcome(TransferMode mode, int kills, int sent, List<Integer> missing, List<Integer> repeated) {

        /** Returns whether every message arrived, and none twice. */
        public boolean held() {
            return missing.isEmpty() && repeated.isEmpty();
        }

        @Override
        public String toString() {
            String counts = "exactly-once by %s: %d kills, %,d messages moved".formatted(mode, kills, sent);
            return held()
                    ? counts + ", each exactly once"
                    : counts
                            + ": BROKEN, %d missing %s, %d repeated %s"
                                    .formatted(missing.size(), first(missing), repeated.size(), first(repeated));
        }

        private static List<Integer> first(List<Integer> numbers) {
            return numbers.subList(0, Math.min(10, numbers.size()));
        }
    }

    /** Runs it. */
    public Outcome run() throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create()) {
            try {
                Outcome outcome = run(scratch);
                if (!outcome.held()) {
                    scratch.keep();
                    progress.accept("broker and programs are in " + scratch.directory());
                }
                return outcome;
            } catch (IOException | ScenarioFailedException failed) {
                scratch.keep();
                progress.accept("broker and programs are in " + scratch.directory());
                throw failed;
            }
        }
    }

    private Outcome run(Scratch scratch) throws IOException, InterruptedException {
        int port = Trial.freePort();
        List<Process> programs = new ArrayList<>();
        try (BrokerUnderTest broker =
                new BrokerUnderTest(home, scratch.resolve("data"), port, scratch.resolve("broker.log"), SETTINGS)) {
            broker.start();
            create(port);
            for (int i = 0; i < PROGRAMS; i++) {
                programs.add(start(i, port, scratch));
            }
            int sent = 0;
            for (int round = 1; round <= kills; round++) {
                send(port, sent, MESSAGES_PER_ROUND);
                sent += MESSAGES_PER_ROUND;
                new Stop().await(random.nextLong(LONGEST_ROUND_MS));
                int victim = random.nextInt(2 * PROGRAMS);
                if (victim < PROGRAMS) {
                    programs.get(victim).destroyForcibly().waitFor();
                    programs.set(victim, start(victim, port, scratch));
                    progress.accept("%d of %d: killed program %d".formatted(round, kills, victim));
                } else {
                    broker.kill();
                    broker.start();
                    progress.accept("%d of %d: killed the broker".formatted(round, kills));
                }
            }
            Map<Integer, Integer> arrived = arrived(port, sent);
            return new Outcome(mode, kills, sent, missing(arrived, sent), repeated(arrived));
        } finally {
            programs.forEach(Process::destroyForcibly);
        }
    }

    private Process start(int number, int port, Scratch scratch) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                TransferProgram.class.getName(),
                mode.name(),
                Integer.toString(port),
                "transfer-" + number,
                Long.toString(random.nextLong()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        scratch.resolve("program-" + number + ".log").toFile()))
                .start();
    }

    private static Map<String, Object> kafka(int port) {
        return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + port));
    }

    private void create(int port) throws InterruptedException {
        if (mode == TransferMode.KAFKA) {
            try (Admin admin = Admin.create(kafka(port))) {
                admin.createTopics(List.of(
                                new NewTopic(TransferProgram.FROM, 3, (short) 1),
                                new NewTopic(TransferProgram.TO, 3, (short) 1)))
                        .all()
                        .get(30, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new ScenarioFailedException("the topics cannot be created", e);
            }
        }
    }

    private void send(int port, int first, int count) {
        switch (mode) {
            case JMS -> {
                try (JMSContext context =
                        new MillraceConnectionFactory("millrace://127.0.0.1:" + port).createContext()) {
                    Queue from = context.createQueue(TransferProgram.FROM);
                    for (int i = first; i < first + count; i++) {
                        context.createProducer().send(from, Integer.toString(i));
                    }
                }
            }
            case KAFKA -> {
                try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(kafka(port), new StringSerializer(), new StringSerializer())) {
                    for (int i = first; i < first + count; i++) {
                        var _ = producer.send(new ProducerRecord<>(TransferProgram.FROM, Integer.toString(i)));
                    }
                }
            }
        }
    }

    /** Waits until as many have arrived as were sent, and a little longer; returns how often each did. */
    private Map<Integer, Integer> arrived(int port, int sent) {
        long begunNs = time.nanoTime();
        return switch (mode) {
            case JMS -> arrivedByJms(port, sent, begunNs);
            case KAFKA -> arrivedByKafka(port, sent, begunNs);
        };
    }

    private Map<Integer, Integer> arrivedByJms(int port, int sent, long begunNs) {
        Map<Integer, Integer> arrived = new HashMap<>();
        try (JMSContext context = new MillraceConnectionFactory("millrace://127.0.0.1:" + port).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(TransferProgram.TO))) {
            while (time.nanoTime() - begunNs < PATIENCE_NS) {
                String text = consumer.receiveBody(String.class, LAST_WAIT_MS);
                if (text != null) {
                    arrived.merge(Integer.valueOf(text), 1, Integer::sum);
                } else if (arrived.size() >= sent) {
                    break;
                }
            }
        }
        return arrived;
    }

    private Map<Integer, Integer> arrivedByKafka(int port, int sent, long begunNs) {
        Map<String, Object> settings = kafka(port);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        Map<Integer, Integer> arrived = new HashMap<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            Set<TopicPartition> all = consumer.partitionsFor(TransferProgram.TO).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .collect(Collectors.toSet());
            consumer.assign(all);
            while (time.nanoTime() - begunNs < PATIENCE_NS) {
                var records = consumer.poll(Duration.ofMillis(LAST_WAIT_MS));
                for (ConsumerRecord<String, String> record : records) {
                    arrived.merge(Integer.valueOf(record.value()), 1, Integer::sum);
                }
                if (records.isEmpty() && arrived.size() >= sent) {
                    break;
                }
            }
        }
        return arrived;
    }

    private static List<Integer> missing(Map<Integer, Integer> arrived, int sent) {
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < sent; i++) {
            if (!arrived.containsKey(i)) {
                missing.add(i);
            }
        }
        return missing;
    }

    private static List<Integer> repeated(Map<Integer, Integer> arrived) {
        return arrived.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
