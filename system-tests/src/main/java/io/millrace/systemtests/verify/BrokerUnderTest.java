package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess;
import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The broker of a trial: one process after the other, on the same data and the same port. Used by one thread. */
final class BrokerUnderTest implements AutoCloseable {
    private final Path home;
    private final Path data;
    private final int port;
    private final Path log;
    private List<String> settings;
    private Surroundings surroundings = Surroundings.USUAL;
    private @Nullable BrokerProcess process;

    /**
     * @param home the unpacked distribution
     * @param log what all its processes print
     */
    BrokerUnderTest(Path home, Path data, int port, Path log, List<String> settings) {
        this.home = home;
        this.data = data;
        this.port = port;
        this.log = log;
        this.settings = List.copyOf(settings);
    }

    Path data() {
        return data;
    }

    Path log() {
        return log;
    }

    int port() {
        return port;
    }

    /** For the next start. */
    void use(List<String> newSettings) {
        settings = List.copyOf(newSettings);
    }

    /** For the next start. */
    void use(Surroundings newSurroundings) {
        surroundings = newSurroundings;
    }

    /** @throws IOException if it does not get ready */
    void start() throws IOException {
        process = BrokerProcess.start(home, data, port, log, settings, surroundings);
    }

    /** kill -9. */
    void kill() throws InterruptedException {
        process().kill();
    }

    /** SIGTERM. */
    void terminate() throws InterruptedException {
        process().terminate();
    }

    void pause() {
        process().pause();
    }

    void resume() {
        process().resume();
    }

    /** Ends it in good order, and starts it under other surroundings. */
    void restart(Surroundings newSurroundings) throws IOException, InterruptedException {
        use(newSurroundings);
        terminate();
        start();
    }

    /** @throws ScenarioFailedException if it has died */
    void requireAlive(String under) {
        if (!isAlive()) {
            throw new ScenarioFailedException("the broker died of " + under + "; its log is " + log);
        }
    }

    long pid() {
        return process().pid();
    }

    /** Files and sockets that it has open. */
    int openFiles() {
        String[] files =
                Path.of("/proc", Long.toString(process().pid()), "fd").toFile().list();
        return files == null ? 0 : files.length;
    }

    /** Sockets that it has open. */
    int openSockets() throws IOException {
        int count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                Path.of("/proc", Long.toString(process().pid()), "fd"))) {
            for (Path file : files) {
                count += isSocket(file) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isSocket(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (NoSuchFileException closedMeanwhile) {
            return false;
        }
    }

    /** Memory that it has from the system, in MiB. */
    long residentMib() throws IOException {
        for (String line :
                Files.readAllLines(Path.of("/proc", Long.toString(process().pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1_024;
            }
        }
        return 0;
    }

    boolean isAlive() {
        return process().isAlive();
    }

    /** What it said when it was ready: with how long that took. */
    String readyIn() {
        return process().readyLine().replaceFirst(".* in ", "ready again in ");
    }

    private BrokerProcess process() {
        BrokerProcess running = process;
        if (running == null) {
            throw new IllegalStateException("the broker was never started");
        }
        return running;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
