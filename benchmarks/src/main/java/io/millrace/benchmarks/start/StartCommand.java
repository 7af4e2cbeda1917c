package io.millrace.benchmarks.start;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.StartupCache;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.testkit.process.BrokerProcess;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        header = "How soon a broker is ready, and what it takes when it is idle.",
        description = {
            "Starts `bin/millrace server` on fresh data, in turns without and with the startup cache, and takes the time from the "
                    + "start of the process to its ready line. Then lets one idle. Then starts EmbeddedBroker again and again in one JVM.",
            ""
        })
public final class StartCommand implements Callable<Integer> {
    private static final int SETTLE_SECONDS = 10;

    @Mixin
    private Installation installation = new Installation();

    @Option(
            names = "--starts",
            paramLabel = "N",
            defaultValue = "10",
            description = "Of each kind. Default: ${DEFAULT-VALUE}.")
    private int starts;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to watch an idle broker. Default: ${DEFAULT-VALUE}.")
    private int idleSeconds;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() throws InterruptedException {
        if (starts < 1 || idleSeconds < 1) {
            throw new BenchmarkException("--starts and --idle must be at least 1");
        }
        Path directory = installation.createDirectory();
        try {
            System.out.printf(
                    "Java %s, %d processors, load average %.2f (above 2 the times mean little)%n",
                    Runtime.version(), Runtime.getRuntime().availableProcessors(), ProcessFigures.loadAverage());
            Path caches = directory.resolve("caches");
            createCache(caches);
            server(directory, caches);
            idle(directory, caches);
            embedded();
            System.out.printf("load average at the end %.2f%n", ProcessFigures.loadAverage());
        } finally {
            Installation.remove(directory);
        }
        return 0;
    }

    private void createCache(Path caches) {
        long startNs = time.nanoTime();
        StartupCache.create(installation.home(), caches);
        System.out.printf("startup cache made in %,d ms%n", elapsedMs(startNs));
    }

    private void server(Path directory, Path caches) throws InterruptedException {
        Spread without = new Spread();
        Spread with = new Spread();
        for (int i = 0; i < starts; i++) {
            without.add(startOnce(directory.resolve("without-" + i), "off"));
            with.add(startOnce(directory.resolve("with-" + i), caches.toString()));
        }
        System.out.println("server, no cache       " + without.text());
        System.out.println("server, startup cache  " + with.text());
    }

    private long startOnce(Path data, String cache) throws InterruptedException {
        long startNs = time.nanoTime();
        try (BrokerProcess broker = start(data, cache)) {
            long readyMs = elapsedMs(startNs);
            broker.terminate();
            return readyMs;
        }
    }

    private BrokerProcess start(Path data, String cache) {
        try {
            return BrokerProcess.start(
                    installation.home(),
                    data,
                    0,
                    data.resolveSibling("broker.log"),
                    List.of(),
                    new BrokerProcess.Surroundings(Map.of(StartupCache.VARIABLE, cache), List.of()));
        } catch (IOException e) {
            throw new BenchmarkException("the broker did not start: " + e.getMessage(), e);
        }
    }

    private void idle(Path directory, Path caches) throws InterruptedException {
        try (BrokerProcess broker = start(directory.resolve("idle"), caches.toString())) {
            pass(SETTLE_SECONDS);
            long residentBytes = ProcessFigures.residentBytes(broker.pid());
            long cpuMs = ProcessFigures.cpuMs(broker.pid());
            pass(idleSeconds);
            double percent = (ProcessFigures.cpuMs(broker.pid()) - cpuMs) / (idleSeconds * 10.0);
            System.out.printf(
                    "idle                   RSS %,d MB after %d s; %.2f %% of one processor over %d s%n",
                    residentBytes / 1_000_000, SETTLE_SECONDS, percent, idleSeconds);
            broker.terminate();
        }
    }

    private void embedded() {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        System.out.printf("EmbeddedBroker, first  %,d ms%n", embeddedOnce());
        Spread warm = new Spread();
        for (int i = 0; i < starts; i++) {
            warm.add(embeddedOnce());
        }
        System.out.println("EmbeddedBroker, warm   " + warm.text());
    }

    private long embeddedOnce() {
        long startNs = time.nanoTime();
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().temporaryDirectory().start()) {
            long readyMs = elapsedMs(startNs);
            if (broker.port() == 0) {
                throw new BenchmarkException("the embedded broker serves nowhere");
            }
            return readyMs;
        }
    }

    private long elapsedMs(long sinceNs) {
        return (time.nanoTime() - sinceNs) / 1_000_000;
    }

    private static void pass(int seconds) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        if (never) {
            throw new IllegalStateException("nobody counts this latch down");
        }
    }
}
