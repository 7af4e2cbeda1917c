package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.testkit.process.BrokerProcess;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker on a directory, which can be killed, started again on the same port, and asked for its memory. */
final class ScaleBroker implements AutoCloseable {
    private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");

    private final Installation installation;
    private final Path directory;
    private final TimeSource time;
    private BrokerProcess process;
    private long startMs;

    /**
     * Starts a broker.
     *
     * @param directory gets its data and its log
     */
    ScaleBroker(Installation installation, Path directory, TimeSource time) {
        this.installation = installation;
        this.directory = directory;
        this.time = time;
        process = start(0);
    }

    private BrokerProcess start(int onPort) {
        long before = time.nanoTime();
        try {
            BrokerProcess started = BrokerProcess.start(
                    installation.home(), directory.resolve("data"), onPort, directory.resolve("broker.log"), List.of());
            started.closeAtExit();
            startMs = (time.nanoTime() - before) / 1_000_000;
            return started;
        } catch (IOException e) {
            throw new BenchmarkException("the broker did not start: " + e.getMessage(), e);
        }
    }

    String url() {
        return "millrace://" + process.address();
    }

    /** Returns how long the last start took, from the command to "ready", the JVM's own start included. */
    long startMs() {
        return startMs;
    }

    /** kill -9, and a start on the same data and port. */
    void killAndRestart() throws InterruptedException {
        process.kill();
        process = start(process.port());
    }

    /** A stop in order, and a start on the same data and port. */
    void stopAndRestart() throws InterruptedException {
        process.terminate();
        process = start(process.port());
    }

    /** Returns the processor time that the broker has used since it was started. */
    long cpuMs() {
        return ProcessFigures.cpuMs(process.pid());
    }

    /** Returns the bytes of the heap that are used after a full collection. */
    long heapAfterCollection() throws InterruptedException {
        jcmd("GC.run");
        Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new BenchmarkException("jcmd GC.heap_info does not say how much is used");
        }
        return Long.parseLong(used.group(1)) << 10;
    }

    /** Checks that the heap after a full collection is below a target, and notes what the process has in memory beside it. */
    void checkHeap(Checks checks, long maxBytes, String what) throws InterruptedException {
        long bytes = heapAfterCollection();
        checks.check(
                bytes < maxBytes,
                "< %.0f MB".formatted(Checks.megabytes(maxBytes)),
                "%s: %.0f MB after a collection (resident: %.0f MB)",
                what,
                Checks.megabytes(bytes),
                Checks.megabytes(residentBytes()));
    }

    long residentBytes() {
        return ProcessFigures.residentBytes(process.pid());
    }

    private String jcmd(String command) throws InterruptedException {
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process.pid()),
                            command)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (jcmd.waitFor() != 0) {
                throw new BenchmarkException("jcmd " + command + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new BenchmarkException("cannot run jcmd: " + e, e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
