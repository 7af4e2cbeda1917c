package io.millrace.server.internal.command;

import io.millrace.server.internal.demo.Demo;
import io.millrace.server.internal.kafka.KafkaCluster;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Shows in seconds what Millrace does.",
        description = {
            "Starts a broker, sends and receives through JMS on a queue and a topic with the rates, passes a message from "
                    + "JMS to a Kafka consumer and one from a Kafka producer to JMS, kills the broker with "
                    + "kill -9 in the middle of a stream of messages, starts it again, and shows that nothing was lost and "
                    + "nothing lost its order.",
            "Then the broker stays up for you to try, until Ctrl-C."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--exit", description = "End when the demo is over.")
    private boolean exit;

    @Option(names = "--port", paramLabel = "N", description = "The broker's port; a free one unless given.")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the broker keeps its data; a temporary directory, removed at the end, unless given.")
    private @Nullable Path data;

    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, JMSException, InterruptedException {
        KafkaCluster.silenceClients();
        boolean temporary = data == null;
        Path directory = data == null ? Files.createTempDirectory("millrace-demo-") : data;
        PrintWriter out = spec.commandLine().getOut();
        try {
            Demo demo = new Demo(directory, port == 0 ? freePort() : port, out, SystemTimeSource.instance());
            Demo.Result result = demo.run();
            try (var broker = result.broker()) {
                if (!exit) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                        broker.terminate();
                        deleteIf(temporary, directory);
                    }));
                    invite(demo.url(), out);
                    new CountDownLatch(1).await();
                }
            }
            return result.nothingLost() ? ExitCode.OK : ExitCode.FAILURE;
        } finally {
            deleteIf(temporary, directory);
        }
    }

    private static void invite(String url, PrintWriter out) {
        String server = url.substring(url.indexOf("//") + 2);
        out.printf("%nThe broker is still up (Ctrl-C ends it). From another terminal:%n");
        out.printf("   echo 'hello' | millrace produce queue:greetings --server %s%n", server);
        out.printf("   millrace consume queue:greetings --count 1 --server %s%n", server);
        out.printf("   millrace queues list --server %s%n", server);
        out.printf("   millrace perf produce --records 100000 --server %s      as a Kafka client%n", server);
        out.printf("or from Java: new MillraceConnectionFactory(\"%s\")%n", url);
        out.flush();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void deleteIf(boolean temporary, Path directory) {
        if (!temporary || !Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException leftOver) {
            System.err.println("millrace: could not remove " + directory + ": " + leftOver.getMessage());
        }
    }
}
