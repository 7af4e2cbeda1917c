package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.program.BenchmarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that is measured.
 *
 * @param name for reports and to choose it
 * @param kind which of Kafka's tools measures it
 * @param size of records in bytes
 * @param records how many in a run
 * @param producer settings of the producer
 * @param synced whether every acknowledged write is on the disk: {@code flush=ack}, or {@code log.flush.interval.messages=1}
 * @param goal ratio ours/Kafka that is to be reached
 */
record Cell(String name, Kind kind, int size, long records, List<String> producer, boolean synced, double goal) {

    private static final Pattern RATE =
            Pattern.compile("^(\\d+) records sent, ([0-9.]+) records/sec .*? ([0-9.]+) ms 50th.*? ([0-9.]+) ms 99th.*");
    private static final Pattern PERCENTILES = Pattern.compile("Percentiles: 50th = ([0-9.]+), 99th = ([0-9.]+), .*");

    /** Which tool, and what counts. */
    enum Kind {
        /** Producer performance: records in a second. */
        PRODUCE,
        /** Consumer performance: records in a second. */
        CONSUME,
        /** Transactions of 100 records by our own program with Kafka's client: records in a second. */
        TRANSACT,
        /** The same that consumes, sends on, and commits offsets in its transactions. */
        TRANSFORM,
        /** End-to-end latency: its 99th percentile, or with synced writes its median. */
        LATENCY
    }

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        for (int size : new int[] {100, 1024}) {
            for (String acks : List.of("1", "all")) {
                for (int linger : new int[] {0, 5}) {
                    for (String compression : List.of("none", "lz4")) {
                        cells.add(new Cell(
                                "produce-" + size + "-" + acks + "-" + linger + "-" + compression,
                                Kind.PRODUCE,
                                size,
                                size == 100 ? 2_000_000 : 400_000,
                                producer(acks, linger, compression),
                                false,
                                1.0));
                    }
                }
            }
        }
        cells.add(new Cell("consume-100", Kind.CONSUME, 100, 5_000_000, List.of(), false, 1.0));
        cells.add(new Cell("consume-1024", Kind.CONSUME, 1024, 1_000_000, List.of(), false, 1.0));
        cells.add(new Cell("latency", Kind.LATENCY, 100, 10_000, List.of(), false, 0.7));
        cells.add(new Cell("transactions-1024", Kind.TRANSACT, 1024, 200_000, List.of(), false, 1.0));
        cells.add(new Cell("consume-transform-produce", Kind.TRANSFORM, 1024, 100_000, List.of(), false, 1.0));
        cells.add(new Cell("produce-1024-synced", Kind.PRODUCE, 1024, 100_000, producer("all", 5, "none"), true, 3.0));
        cells.add(new Cell("latency-synced", Kind.LATENCY, 100, 2_000, List.of(), true, 0.5));
        return cells;
    }

    private static List<String> producer(String acks, int linger, String compression) {
        return List.of("acks=" + acks, "linger.ms=" + linger, "compression.type=" + compression, "batch.size=65536");
    }

    static Cell named(String name) {
        return all().stream()
                .filter(cell -> cell.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new BenchmarkException("there is no cell " + name + ", but "
                        + all().stream().map(Cell::name).toList()));
    }

    /** Returns whether less is better. */
    boolean isLatency() {
        return kind == Kind.LATENCY;
    }

    /** Returns the same with fewer records. */
    Cell shortened(int divisor) {
        return new Cell(name, kind, size, Math.max(100, records / divisor), producer, synced, goal);
    }

    /** Returns what counts. */
    double figure(Figures figures) {
        return switch (kind) {
            case PRODUCE, CONSUME, TRANSACT, TRANSFORM -> figures.perSecond();
            case LATENCY -> synced ? figures.p50Ms() : figures.p99Ms();
        };
    }

    boolean isReached(double ratio) {
        return isLatency() ? ratio <= goal : ratio >= goal;
    }

    Figures run(Tool tool, KafkaSide side, String topic) {
        return switch (kind) {
            case PRODUCE -> produce(tool, side, topic);
            case CONSUME -> consume(tool, side, topic);
            case TRANSACT -> transactions("produce", tool, side, topic);
            case TRANSFORM -> transactions("transform", tool, side, topic);
            case LATENCY -> latency(tool, side, topic);
        };
    }

    /** Returns whether a median latency is told beside a rate, or beside another percentile. */
    boolean hasMedian() {
        return kind == Kind.LATENCY || kind == Kind.TRANSACT || kind == Kind.TRANSFORM;
    }

    /** Writes what a consumer will read. */
    void prepare(Tool tool, KafkaSide side, String topic) {
        if (kind == Kind.CONSUME || kind == Kind.TRANSFORM) {
            new Cell(name, Kind.PRODUCE, size, records, producer("1", 5, "none"), false, 1).produce(tool, side, topic);
        }
    }

    private Figures produce(Tool tool, KafkaSide side, String topic) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap-server",
                side.address(),
                "--topic",
                topic,
                "--num-records",
                Long.toString(records),
                "--record-size",
                Integer.toString(size),
                "--throughput",
                "-1",
                "--command-property"));
        arguments.addAll(producer);
        return measure(side, () -> tool.run("org.apache.kafka.tools.ProducerPerformance", arguments), Cell::rate);
    }

    private Figures transactions(String what, Tool tool, KafkaSide side, String topic) {
        List<String> arguments = List.of(what, side.address(), topic, Long.toString(records), Integer.toString(size));
        return measure(side, () -> tool.run(TransactionProgram.class.getName(), arguments), Cell::rate);
    }

    private static double[] rate(Tool.Run run) {
        Matcher rate = last(run, RATE);
        return new double[] {
            Double.parseDouble(rate.group(2)), Double.parseDouble(rate.group(3)), Double.parseDouble(rate.group(4))
        };
    }

    private Figures consume(Tool tool, KafkaSide side, String topic) {
        List<String> arguments = List.of(
                "--bootstrap-server",
                side.address(),
                "--topic",
                topic,
                "--num-records",
                Long.toString(records),
                "--timeout",
                "60000",
                "--hide-header");
        return measure(side, () -> tool.run("org.apache.kafka.tools.ConsumerPerformance", arguments), run -> {
            // start, end, MB, MB/s, records, records/s, rebalance ms, fetch ms, fetch MB/s, fetch records/s
            List<String> fields = List.of(run.lines().getLast().split(", *", -1));
            if (fields.size() < 10 || Long.parseLong(fields.get(4)) < records) {
                throw new BenchmarkException("the consumer did not read " + records + " records: " + run.lines());
            }
            return new double[] {Double.parseDouble(fields.get(9)), 0, 0};
        });
    }

    private Figures latency(Tool tool, KafkaSide side, String topic) {
        List<String> arguments = List.of(
                "--bootstrap-server", side.address(),
                "--topic", topic,
                "--num-records", Long.toString(records),
                "--producer-acks", "all",
                "--record-size", Integer.toString(size));
        return measure(side, () -> tool.run("org.apache.kafka.tools.EndToEndLatency", arguments), run -> {
            Matcher percentiles = last(run, PERCENTILES);
            return new double[] {0, Double.parseDouble(percentiles.group(1)), Double.parseDouble(percentiles.group(2))};
        });
    }

    private Figures measure(KafkaSide side, Supplier<Tool.Run> action, Function<Tool.Run, double[]> read) {
        long cpuBefore = side.cpuMs();
        long startNs = side.nanoTime();
        Tool.Run run = action.get();
        double elapsedMs = (side.nanoTime() - startNs) / 1e6;
        double[] figures = read.apply(run);
        return new Figures(
                figures[0], figures[1], figures[2], records, side.cpuMs() - cpuBefore, run.cpuMs(), elapsedMs);
    }

    private static Matcher last(Tool.Run run, Pattern pattern) {
        for (String line : run.lines().reversed()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new BenchmarkException("the tool did not say what it measured: " + run.lines());
    }
}
