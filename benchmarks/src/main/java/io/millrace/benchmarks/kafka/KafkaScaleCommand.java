package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench scale kafka}. */
@Command(
        name = "kafka",
        mixinStandardHelpOptions = true,
        header = "Kafka clients: many partitions, many connections that wait, many groups on one topic.",
        description = {
            "Each step runs Kafka's own performance tools against a Millrace of its own; the first figure of a step is what the others "
                    + "are compared with. What many groups read must come from the page cache: the disk's reads are shown.",
            ""
        })
public final class KafkaScaleCommand implements Callable<Integer> {

    @Mixin
    private Installation installation = new Installation();

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Of the widest topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "500",
            description = "That wait for records meanwhile. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--groups",
            paramLabel = "N",
            defaultValue = "10",
            description = "That read the same topic at once. Default: ${DEFAULT-VALUE}.")
    private int groups;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Of 100 bytes in each run. Default: ${DEFAULT-VALUE}.")
    private long records;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() {
        Path directory = installation.createDirectory();
        Tool tool = new Tool(installation.kafkaToolClassPath());
        try (KafkaSide broker =
                KafkaSide.millrace(installation.home(), directory.resolve("caches"), directory, false, time)) {
            Cell produce = produce();
            produce.run(tool, broker, "warm-up");
            manyPartitions(tool, broker, produce);
            manyConnections(tool, broker, produce);
            manyGroups(tool, broker);
        } finally {
            Installation.remove(directory);
        }
        return 0;
    }

    private Cell produce() {
        return new Cell(
                "produce",
                Cell.Kind.PRODUCE,
                100,
                records,
                List.of("acks=1", "linger.ms=5", "batch.size=65536"),
                false,
                1);
    }

    private void manyPartitions(Tool tool, KafkaSide broker, Cell produce) {
        for (int count : new int[] {1, 10, 100, partitions}) {
            String topic = "partitions-" + count;
            create(tool, broker, topic, count);
            print("produce to " + count + " partitions", produce.run(tool, broker, topic));
        }
        System.out.printf("memory %,.0f MB%n", broker.residentBytes() / 1e6);
    }

    private void manyConnections(Tool tool, KafkaSide broker, Cell produce) {
        create(tool, broker, "awaited", 1);
        create(tool, broker, "beside", 1);
        print("produce beside no connections", produce.run(tool, broker, "beside"));
        try (WaitingConnections waiting = WaitingConnections.open(broker.address(), connections, "awaited")) {
            print("produce beside " + connections + " that wait", produce.run(tool, broker, "beside"));
            System.out.printf(
                    "%d of them are still open, memory %,.0f MB%n", waiting.stillOpen(), broker.residentBytes() / 1e6);
        }
    }

    private void manyGroups(Tool tool, KafkaSide broker) {
        Cell consume = new Cell("consume", Cell.Kind.CONSUME, 100, records, List.of(), false, 1);
        consume.prepare(tool, broker, "groups");
        long before = ProcessFigures.readFromDiskBytes(broker.pid());
        print("consume by 1 group", consume.run(tool, broker, "groups"));
        long one = ProcessFigures.readFromDiskBytes(broker.pid());
        List<Thread> threads = new ArrayList<>();
        long cpuBefore = broker.cpuMs();
        long startNs = time.nanoTime();
        for (int i = 0; i < groups; i++) {
            threads.add(Thread.ofPlatform().start(() -> consume.run(tool, broker, "groups")));
        }
        for (Thread thread : threads) {
            join(thread);
        }
        double seconds = (time.nanoTime() - startNs) / 1e9;
        long many = ProcessFigures.readFromDiskBytes(broker.pid());
        System.out.printf(
                "consume by %d groups: %,.0f records/s in all, broker CPU %.3f s/million; read from the disk: %,d bytes by 1, %,d by %d%n",
                groups,
                groups * records / seconds,
                (broker.cpuMs() - cpuBefore) / 1e3 / (groups * records / 1e6),
                one - before,
                many - one,
                groups);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("interrupted while groups consumed", e);
        }
    }

    private static void create(Tool tool, KafkaSide broker, String topic, int partitions) {
        tool.run(
                "org.apache.kafka.tools.TopicCommand",
                List.of(
                        "--bootstrap-server",
                        broker.address(),
                        "--create",
                        "--topic",
                        topic,
                        "--partitions",
                        Integer.toString(partitions)));
    }

    private static void print(String name, Figures figures) {
        System.out.printf(
                "%s: %,.0f records/s, broker CPU %.3f s/million%n",
                name, figures.perSecond(), figures.brokerCpuPerMillion());
    }
}
