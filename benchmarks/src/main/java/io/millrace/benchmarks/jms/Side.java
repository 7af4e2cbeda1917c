package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.program.BenchProgram;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.Measurement;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.benchmarks.program.RunRequest;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A broker on fresh data, and the client program in a JVM of its own. */
final class Side implements AutoCloseable {
    private static final String ARTEMIS_MAIN = "io.millrace.benchmarks.artemis.ArtemisServer";
    private static final String ARTEMIS_FACTORY = "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory";
    private static final String MILLRACE_FACTORY = "io.millrace.jms.MillraceConnectionFactory";

    /** Artemis logs every call for auditors when its logger lets it; a broker's own configuration turns that off. */
    private static final List<String> NO_AUDIT = List.of("-Dorg.slf4j.simpleLogger.log.org.apache.activemq.audit=off");

    static final String ARTEMIS_LOG = "artemis-broker.log";

    private final String name;
    private final String url;
    private final String confirmingUrl;
    private final long brokerPid;
    private final AutoCloseable broker;
    private final JavaProcess client;

    /**
     * How the processes are started.
     *
     * @param alone whether ours is the only one
     * @param bufferTimeoutNs for Artemis' journal: the time of an fdatasync on this disk
     * @param clientOptions of both clients' JVMs
     * @param artemisOptions of the JVM of Artemis; ours takes MILLRACE_JAVA_OPTS
     * @param artemisMessageBytes memory for messages in Artemis, -1 for its default
     */
    record Settings(
            boolean alone,
            long bufferTimeoutNs,
            List<String> clientOptions,
            List<String> artemisOptions,
            long artemisMessageBytes) {}

    private Side(
            String name, String url, String confirmingUrl, long brokerPid, AutoCloseable broker, JavaProcess client) {
        this.name = name;
        this.url = url;
        this.confirmingUrl = confirmingUrl;
        this.brokerPid = brokerPid;
        this.broker = broker;
        this.client = client;
    }

    /** Starts Millrace as it is delivered: {@code bin/millrace server} with every setting at its default. */
    static Side millrace(Installation installation, Path directory, Settings settings) {
        BrokerProcess broker;
        try {
            broker = BrokerProcess.start(
                    installation.home(),
                    directory.resolve("millrace"),
                    0,
                    directory.resolve("millrace-broker.log"),
                    List.of());
        } catch (IOException e) {
            throw new BenchmarkException("Millrace did not start: " + e.getMessage(), e);
        }
        broker.closeAtExit();
        String url = "millrace://" + broker.address();
        JavaProcess client = client(
                "millrace-client",
                Stream.concat(installation.programClassPath().stream(), installation.clientClassPath().stream())
                        .toList(),
                settings.clientOptions(),
                List.of(MILLRACE_FACTORY, Long.toString(broker.pid())),
                directory);
        return new Side("Millrace", url, url, broker.pid(), broker, client);
    }

    /** Starts Artemis. */
    static Side artemis(Installation installation, Path directory, Settings settings) {
        int port = freePort();
        List<String> options = Stream.concat(NO_AUDIT.stream(), settings.artemisOptions().stream())
                .toList();
        JavaProcess broker = JavaProcess.start(
                "artemis",
                installation.artemisClassPath(),
                options,
                ARTEMIS_MAIN,
                List.of(
                        directory.resolve("artemis").toString(),
                        Integer.toString(port),
                        Long.toString(settings.bufferTimeoutNs()),
                        Long.toString(settings.artemisMessageBytes())),
                directory.resolve(ARTEMIS_LOG));
        broker.await("artemis ready");
        JavaProcess client = client(
                "artemis-client",
                Stream.concat(installation.programClassPath().stream(), installation.artemisClassPath().stream())
                        .toList(),
                settings.clientOptions(),
                List.of(ARTEMIS_FACTORY, Long.toString(broker.pid())),
                directory);
        String url = "tcp://127.0.0.1:" + port;
        return new Side("Artemis", url, url + "?confirmationWindowSize=1048576", broker.pid(), broker, client);
    }

    private static JavaProcess client(
            String name, List<Path> classPath, List<String> options, List<String> arguments, Path directory) {
        return JavaProcess.start(
                name, classPath, options, BenchProgram.class.getName(), arguments, directory.resolve(name + ".log"));
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

    /**
     * Runs a workload once.
     *
     * @param confirming whether it sends asynchronously: Artemis calls a CompletionListener only after the server has answered if its
     *     client has a confirmation window
     * @throws BenchmarkException if it fails, or a message was lost or came twice
     */
    Measurement run(String workload, String prefix, boolean confirming, long durationMs, int count) {
        client.write(new RunRequest(workload, prefix, confirming ? confirmingUrl : url, durationMs, count).toLine());
        String answer = client.await(Measurement.PREFIX, BenchProgram.FAILED);
        if (answer.startsWith(BenchProgram.FAILED)) {
            throw new BenchmarkException(workload + " on " + name + ": " + answer);
        }
        Measurement measurement = Measurement.parse(answer);
        if (!measurement.complete()) {
            throw new BenchmarkException("%s on %s: %d messages had to arrive, and %d did"
                    .formatted(workload, name, measurement.expected(), measurement.counted()));
        }
        return measurement;
    }

    long residentBytes() {
        return ProcessFigures.residentBytes(brokerPid);
    }

    /** Processor time of broker and client so far. */
    long cpuMs() {
        return ProcessFigures.cpuMs(brokerPid) + ProcessFigures.cpuMs(client.pid());
    }

    @Override
    public void close() {
        client.close();
        if (broker instanceof BrokerProcess millrace) {
            try {
                millrace.terminate();
            } catch (InterruptedException interrupted) {
                millrace.close();
                Thread.currentThread().interrupt();
            }
        } else if (broker instanceof JavaProcess artemis) {
            artemis.close();
        }
    }
}
