package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench jms}. */
@Command(
        name = "jms",
        mixinStandardHelpOptions = true,
        header = "One JMS program against Millrace and against ActiveMQ Artemis, in turns.",
        description = {
            "Both brokers run in a JVM of their own with a heap of 512 MB, on the same disk, and confirm a persistent message",
            "when it is on the disk. MILLRACE_JAVA_OPTS adds options to the JVM of Millrace.",
            "Workloads: sync-1, sync-16, sync-16x500, async, nonpersistent, drain-auto, drain-client100, end-to-end,",
            "latency-1000, fanout-10, fanout-10-durable, connections-1000.",
            ""
        })
public final class JmsCommand implements Callable<Integer> {
    private static final long RAW_MS = 2000;
    private static final int QUICK_DIVISOR = 200;

    @Mixin
    private Installation installation = new Installation();

    @Option(names = "--workload", paramLabel = "NAME", split = ",", description = "Which. Default: all.")
    private List<String> workloads = new ArrayList<>();

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "5", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Of each side before the first pair. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of workloads that end after a time. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes every single figure there.")
    private @Nullable Path json;

    @Option(
            names = "--quick",
            description =
                    "Seconds instead of minutes: shows that the workloads run and count right, and measures nothing.")
    private boolean quick;

    @Option(names = "--alone", description = "Without Artemis: to watch our side at work.")
    private boolean alone;

    @Option(names = "--client-opt", paramLabel = "OPT", description = "Option for the JVM of both clients.")
    private List<String> clientOptions = new ArrayList<>();

    @Option(names = "--artemis-opt", paramLabel = "OPT", description = "Option for the JVM of Artemis.")
    private List<String> artemisOptions = new ArrayList<>();

    @Override
    public Integer call() {
        TimeSource time = SystemTimeSource.instance();
        List<Plan> plans = workloads.isEmpty()
                ? Plan.all()
                : workloads.stream().map(Plan::named).toList();
        Path directory = installation.createDirectory();
        long syncNs = new RawSync(directory, time).measure(quick ? 200 : RAW_MS).getValueAtPercentile(50);
        System.out.printf(
                "Java %s, %d processors, data in %s, fdatasync p50 %,.0f us, load average %.2f%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                directory,
                syncNs / 1e3,
                ProcessFigures.loadAverage());
        Comparison.Settings settings = new Comparison.Settings(
                quick ? 1 : pairs,
                quick ? 0 : warmUp * 1000L,
                quick ? 200 : seconds * 1000L,
                quick ? QUICK_DIVISOR : 1,
                syncNs,
                alone ? Comparison.Sides.MILLRACE : Comparison.Sides.BOTH,
                clientOptions,
                artemisOptions);
        List<Outcome> outcomes = new ArrayList<>();
        for (Plan plan : plans) {
            System.out.println(plan.workload() + " ...");
            Path data = directory.resolve(plan.workload());
            createDirectory(data);
            Outcome outcome = new Comparison(installation, settings, time, System.out::println).run(plan, data);
            notePaging(data.resolve("artemis-broker.log"));
            System.out.print(Report.text(outcome));
            outcomes.add(outcome);
            Installation.remove(data);
        }
        Installation.remove(directory);
        if (json != null) {
            Report.writeJson(outcomes, json);
        }
        return 0;
    }

    private static void createDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new BenchmarkException("cannot make " + directory, e);
        }
    }

    /** A broker that pages measures its disk twice: the reader has to know. */
    private static void notePaging(Path log) {
        if (!Files.exists(log)) {
            return;
        }
        try (Stream<String> lines = Files.lines(log)) {
            lines.filter(line -> line.contains("AMQ222038"))
                    .findFirst()
                    .ifPresent(line -> System.out.println("  note: " + line));
        } catch (IOException e) {
            throw new BenchmarkException("cannot read " + log, e);
        }
    }
}
