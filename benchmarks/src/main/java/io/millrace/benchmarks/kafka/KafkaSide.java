package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.StartupCache;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.testkit.process.BrokerProcess;
import io.millrace.wire.time.TimeSource;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A broker in a JVM of its own with {@code -Xmx1g}, on fresh data. */
final class KafkaSide implements AutoCloseable {

    private static final String HEAP = "-Xmx1g";

    private final String name;
    private final String address;
    private final long pid;
    private final double readyMs;
    private final AutoCloseable process;
    private final TimeSource time;

    private KafkaSide(String name, String address, long pid, double readyMs, AutoCloseable process, TimeSource time) {
        this.name = name;
        this.address = address;
        this.pid = pid;
        this.readyMs = readyMs;
        this.process = process;
        this.time = time;
    }

    /**
     * Starts Millrace as it is delivered.
     *
     * @param caches where the startup cache is, or is made for the next start
     * @param synced whether every acknowledged write is on the disk, else in the page cache as Kafka's are
     */
    static KafkaSide millrace(Path home, Path caches, Path directory, boolean synced, TimeSource time) {
        long startNs = time.nanoTime();
        try {
            BrokerProcess broker = BrokerProcess.start(
                    home,
                    directory.resolve("millrace"),
                    0,
                    directory.resolve("millrace-broker.log"),
                    List.of("log.flush=" + (synced ? "ack" : "os"), "message.max.bytes=1048588"),
                    new BrokerProcess.Surroundings(
                            Map.of(
                                    StartupCache.VARIABLE,
                                    caches.toString(),
                                    "MILLRACE_JAVA_OPTS",
                                    (System.getenv().getOrDefault("MILLRACE_JAVA_OPTS", "") + " " + HEAP).trim()),
                            List.of()));
            broker.closeAtExit();
            return new KafkaSide(
                    "Millrace", broker.address(), broker.pid(), (time.nanoTime() - startNs) / 1e6, broker, time);
        } catch (IOException e) {
            throw new BenchmarkException("Millrace did not start: " + e.getMessage(), e);
        }
    }

    /** Starts Apache Kafka as its documentation says, one process that is broker and controller. */
    static KafkaSide kafka(List<Path> classPath, Path directory, boolean synced, TimeSource time) {
        int port = freePort();
        int controller = freePort();
        Path data = directory.resolve("kafka");
        List<String> settings = new ArrayList<>(List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controller,
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller,
                "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
                "controller.listener.names=CONTROLLER",
                "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                "log.dirs=" + data,
                "offsets.topic.replication.factor=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "group.initial.rebalance.delay.ms=0"));
        if (synced) {
            settings.add("log.flush.interval.messages=1");
        }
        Path properties = directory.resolve("kafka.properties");
        Path log = directory.resolve("kafka-broker.log");
        try {
            Files.createDirectories(data);
            Files.write(properties, settings);
            run(java(
                    classPath,
                    List.of(
                            "kafka.tools.StorageTool",
                            "format",
                            "-t",
                            "AAAAAAAAQACAAAAAAAAAAQ",
                            "-c",
                            properties.toString())));
            long startNs = time.nanoTime();
            Process process = new ProcessBuilder(java(classPath, List.of("kafka.Kafka", properties.toString())))
                    .redirectErrorStream(true)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            awaitStarted(process, log);
            double readyMs = (time.nanoTime() - startNs) / 1e6;
            return new KafkaSide("Kafka", "127.0.0.1:" + port, process.pid(), readyMs, () -> end(process), time);
        } catch (IOException e) {
            throw new BenchmarkException("Apache Kafka did not start: " + e.getMessage(), e);
        }
    }

    private static void awaitStarted(Process process, Path log) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Files.writeString(log, line + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (line.contains("Kafka Server started")) {
                Thread.ofPlatform().daemon().start(() -> drain(output));
                return;
            }
        }
        throw new BenchmarkException("Apache Kafka ended; its log is " + log);
    }

    /** Else the broker would wait until somebody reads what it says. */
    private static void drain(BufferedReader output) {
        try {
            while (output.readLine() != null) {
                // nobody wants to know
            }
        } catch (IOException e) {
            // It ended.
        }
    }

    private static List<String> java(List<Path> classPath, List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
        command.addAll(program);
        return command;
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchmarkException("no free port: " + e, e);
        }
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    /** Returns how long it took from its start until it served. */
    double readyMs() {
        return readyMs;
    }

    long pid() {
        return pid;
    }

    long cpuMs() {
        return ProcessFigures.cpuMs(pid);
    }

    long residentBytes() {
        return ProcessFigures.residentBytes(pid);
    }

    long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public void close() {
        try {
            if (process instanceof BrokerProcess millrace) {
                millrace.terminate();
            } else {
                process.close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new BenchmarkException(name + " did not end: " + e, e);
        }
    }
}
