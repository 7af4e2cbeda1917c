package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.StartupCache;
import io.millrace.benchmarks.machine.Disturbance;
import io.millrace.benchmarks.machine.Neighbours;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench kafka}. */
@Command(
        name = "kafka",
        mixinStandardHelpOptions = true,
        header =
                "Kafka's own performance tools, and a program with transactions, against Millrace and against Apache Kafka, in turns.",
        description = {
            "Both brokers run in a JVM of their own with -Xmx1g, on the same disk. Unless a cell says synced, both leave it to the "
                    + "operating system when it writes to the disk (flush=os). MILLRACE_JAVA_OPTS adds options to the JVM of Millrace.",
            "Cells: produce-SIZE-ACKS-LINGER-COMPRESSION (100 or 1024; 1 or all; 0 or 5; none or lz4), consume-100, consume-1024, "
                    + "latency, transactions-1024, consume-transform-produce, produce-1024-synced, latency-synced.",
            ""
        })
public final class KafkaCommand implements Callable<Integer> {

    @Mixin
    private Installation installation = new Installation();

    @Option(names = "--cell", paramLabel = "NAME", split = ",", description = "Which. Default: all.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "5", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(
            names = "--warmup",
            paramLabel = "RUNS",
            defaultValue = "1",
            description = "Runs of each side before the first pair. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--quick",
            description = "Seconds instead of minutes: shows that the cells run, and measures nothing.")
    private boolean quick;

    @Option(names = "--alone", description = "Without Apache Kafka: to watch our side at work.")
    private boolean alone;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() {
        List<Cell> cells =
                names.isEmpty() ? Cell.all() : names.stream().map(Cell::named).toList();
        double load = ProcessFigures.loadAverage();
        int processors = Runtime.getRuntime().availableProcessors();
        Neighbours neighbours = new Neighbours(load, ProcessFigures::machineCpuMs, processors, time);
        Path directory = installation.createDirectory();
        System.out.printf(
                "Java %s, %d processors, data in %s, load average %.2f%n",
                Runtime.version(), processors, directory, load);
        try {
            // What every start but the first of an installation has.
            StartupCache.create(installation.home(), caches(directory));
            runAll(cells, directory, neighbours, processors, false);
            runAll(cells, directory, neighbours, processors, true);
        } finally {
            Installation.remove(directory);
        }
        return 0;
    }

    private static Path caches(Path directory) {
        return directory.resolve("caches");
    }

    /** All cells with synced writes, or all without, on one broker each. */
    private void runAll(List<Cell> cells, Path directory, Neighbours neighbours, int processors, boolean synced) {
        List<Cell> chosen =
                cells.stream().filter(cell -> cell.synced() == synced).toList();
        if (chosen.isEmpty()) {
            return;
        }
        Path place = directory.resolve(synced ? "synced" : "usual");
        if (!place.toFile().mkdirs()) {
            throw new IllegalStateException("cannot make " + place);
        }
        Tool tool = new Tool(installation.kafkaToolClassPath());
        try (KafkaSide ours = KafkaSide.millrace(installation.home(), caches(directory), place, synced, time);
                KafkaSide theirs = alone ? null : KafkaSide.kafka(installation.kafkaClassPath(), place, synced, time)) {
            line("ready after ms", ours.readyMs(), theirs == null ? Double.NaN : theirs.readyMs());
            line(
                    "idle memory MB",
                    ours.residentBytes() / 1e6,
                    theirs == null ? Double.NaN : theirs.residentBytes() / 1e6);
            for (Cell cell : chosen) {
                run(quick ? cell.shortened(200) : cell, tool, ours, theirs, neighbours, processors);
            }
            line("memory MB", ours.residentBytes() / 1e6, theirs == null ? Double.NaN : theirs.residentBytes() / 1e6);
        }
    }

    private void run(
            Cell cell, Tool tool, KafkaSide ours, @Nullable KafkaSide theirs, Neighbours neighbours, int processors) {
        List<Figures> our = new ArrayList<>();
        List<Figures> their = new ArrayList<>();
        String topic = cell.name();
        cell.prepare(tool, ours, topic);
        if (theirs != null) {
            cell.prepare(tool, theirs, topic);
        }
        for (int i = 0; i < (quick ? 0 : warmUp); i++) {
            cell.run(tool, ours, topic);
            if (theirs != null) {
                cell.run(tool, theirs, topic);
            }
        }
        Neighbours.Watch watch = neighbours.begin(
                () -> ours.cpuMs() + (theirs == null ? 0 : theirs.cpuMs()) + ProcessFigures.childrenCpuMs());
        for (int pair = 0; pair < (quick ? 1 : pairs); pair++) {
            // The first of one pair is the second of the next.
            if (theirs != null && pair % 2 == 1) {
                their.add(cell.run(tool, theirs, topic));
            }
            our.add(cell.run(tool, ours, topic));
            if (theirs != null && pair % 2 == 0) {
                their.add(cell.run(tool, theirs, topic));
            }
        }
        report(cell, our, their, watch.end(), processors);
    }

    private static void report(
            Cell cell, List<Figures> our, List<Figures> their, Disturbance disturbance, int processors) {
        System.out.println(cell.name() + "  (" + disturbance.text() + ")");
        String unit = cell.isLatency() ? (cell.synced() ? "p50 ms" : "p99 ms") : "records/s";
        compare(unit, our, their, cell::figure, cell);
        compare("broker CPU s/million", our, their, Figures::brokerCpuPerMillion, null);
        compare("client share of CPU", our, their, figures -> figures.clientShare(processors), null);
        if (cell.hasMedian()) {
            compare("p50 ms", our, their, Figures::p50Ms, null);
        }
    }

    private static void compare(
            String name,
            List<Figures> our,
            List<Figures> their,
            ToDoubleFunction<Figures> figure,
            @Nullable Cell judged) {
        double ours = median(our.stream().mapToDouble(figure).sorted().toArray());
        if (their.isEmpty()) {
            System.out.printf("  %-22s %,14.3f%n", name, ours);
            return;
        }
        double theirs = median(their.stream().mapToDouble(figure).sorted().toArray());
        double[] ratios = IntStream.range(0, our.size())
                .mapToDouble(i -> figure.applyAsDouble(our.get(i)) / figure.applyAsDouble(their.get(i)))
                .sorted()
                .toArray();
        String verdict = judged == null
                ? ""
                : "  goal " + (judged.isLatency() ? "<= " : ">= ") + judged.goal()
                        + (judged.isReached(median(ratios)) ? " reached" : " MISSED");
        System.out.printf(
                "  %-22s %,14.3f %,14.3f  ratio %.2f/%.2f/%.2f%s%n",
                name, ours, theirs, ratios[0], median(ratios), ratios[ratios.length - 1], verdict);
    }

    private static void line(String name, double ours, double theirs) {
        System.out.printf("%-24s %,14.1f %,14.1f  ratio %.2f%n", name, ours, theirs, ours / theirs);
    }

    private static double median(double[] sorted) {
        int size = sorted.length;
        return size % 2 == 1 ? sorted[size / 2] : (sorted[size / 2 - 1] + sorted[size / 2]) / 2;
    }
}
