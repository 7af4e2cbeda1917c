package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.machine.Neighbours;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
            "Both brokers run in a JVM of their own with a heap of 512 MB, on the same disk, and confirm a persistent message "
                    + "when it is on the disk. MILLRACE_JAVA_OPTS adds options to the JVM of Millrace.",
            "Workloads: sync-1, sync-16, sync-16x500, async, nonpersistent, drain-auto, drain-client100, end-to-end, "
                    + "latency-1000, fanout-10, fanout-10-durable, connections-1000, transacted-send-1, transacted-send-16, "
                    + "transacted-receive, xa-1, xa-16.",
            ""
        })
public final class JmsCommand implements Callable<Integer> {
    private static final long DISK_MS = 2000;
    private static final long RAW_MS = 300;
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

    @Option(
            names = "--artemis-message-bytes",
            paramLabel = "BYTES",
            defaultValue = "-1",
            description = "Memory for messages in Artemis (global-max-size). Default: its own, half of the heap.")
    private long artemisMessageBytes;

    @Override
    public Integer call() {
        TimeSource time = SystemTimeSource.instance();
        double load = ProcessFigures.loadAverage();
        Neighbours neighbours = new Neighbours(
                load, ProcessFigures::machineCpuMs, Runtime.getRuntime().availableProcessors(), time);
        List<Plan> plans = workloads.isEmpty()
                ? Plan.all()
                : workloads.stream().map(Plan::named).toList();
        Path directory = installation.createDirectory();
        long syncNs =
                new RawSync(directory, time).measure(quick ? 100 : DISK_MS).getValueAtPercentile(50);
        System.out.printf(
                "Java %s, %d processors, data in %s, fdatasync p50 %,.0f us, load average %.2f%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), directory, syncNs / 1e3, load);
        Comparison comparison = new Comparison(
                quick
                        ? new Comparison.Settings(1, 0, 200, QUICK_DIVISOR, 20)
                        : new Comparison.Settings(pairs, warmUp * 1000L, seconds * 1000L, 1, RAW_MS),
                new RawSync(directory, time),
                neighbours,
                time,
                System.out::println);
        Side.Settings sides = new Side.Settings(alone, syncNs, clientOptions, artemisOptions, artemisMessageBytes);
        List<Outcome> outcomes = quick
                ? runTogether(comparison, plans, directory, sides)
                : runApart(comparison, plans, directory, sides);
        Installation.remove(directory);
        if (json != null) {
            Report.writeJson(outcomes, json);
        }
        return 0;
    }

    /** Each workload meets brokers that have not seen another. */
    private List<Outcome> runApart(Comparison comparison, List<Plan> plans, Path directory, Side.Settings sides) {
        List<Outcome> outcomes = new ArrayList<>();
        for (Plan plan : plans) {
            System.out.println(plan.workload() + " ...");
            try (Brokers brokers = Brokers.start(installation, directory.resolve(plan.workload()), sides)) {
                Outcome outcome = brokers.run(comparison, plan);
                brokers.paging().ifPresent(line -> System.out.println("  note: " + line));
                System.out.print(Report.text(outcome));
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    private List<Outcome> runTogether(Comparison comparison, List<Plan> plans, Path directory, Side.Settings sides) {
        List<Outcome> outcomes = new ArrayList<>();
        try (Brokers brokers = Brokers.start(installation, directory.resolve("quick"), sides)) {
            for (Plan plan : plans) {
                System.out.println(plan.workload() + " ...");
                outcomes.add(brokers.run(comparison, plan));
            }
        }
        return outcomes;
    }
}
