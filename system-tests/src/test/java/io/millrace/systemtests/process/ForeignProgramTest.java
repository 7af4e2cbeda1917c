package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** A program that was compiled against jakarta.jms alone, and runs with the jars of {@code client/}. */
final class ForeignProgramTest {
    private static final int CODECS = 5;
    private static final String PROGRAM = """
            import jakarta.jms.*;

            public class Program {
                public static void main(String[] args) throws Exception {
                    for (String codec : new String[] {"none", "gzip", "lz4", "snappy", "zstd"}) {
                        sendAndReceive(args[0] + "?compression=" + codec);
                    }
                }

                private static void sendAndReceive(String url) throws Exception {
                    ConnectionFactory factory = (ConnectionFactory) Class.forName("io.millrace.jms.MillraceConnectionFactory")
                            .getConstructor(String.class).newInstance(url);
                    try (JMSContext context = factory.createContext()) {
                        Queue queue = context.createQueue("from.a.program");
                        context.createProducer().setProperty("colour", "red").send(queue, "hello".repeat(100));
                        Message message = context.createConsumer(queue).receive(30_000);
                        System.out.println(message.getBody(String.class).length() + " " + message.getStringProperty("colour")
                                + " on " + Runtime.version().feature());
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void shouldRunOnTheJavaOfTheBroker() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"));

        assertThat(run(java)).isEqualTo(("500 red on " + Runtime.version().feature() + "\n").repeat(CODECS));
    }

    /** Whether a class of the client, or of what it brings, was compiled for more than is promised shows only here. */
    @Test
    void shouldRunOnJava17() throws IOException, InterruptedException {
        assertThat(run(java17())).isEqualTo("500 red on 17\n".repeat(CODECS));
    }

    private String run(Path java) throws IOException, InterruptedException {
        Path client = Distribution.home().resolve("client");
        compile(client.resolve("jakarta.jms-api-3.1.0.jar"));
        try (BrokerProcess broker = BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of())) {
            String address = broker.address();
            Outcome outcome = Distribution.run(
                    new ProcessBuilder(
                            java.resolve("bin/java").toString(),
                            "-cp",
                            directory + ":" + client + "/*",
                            "Program",
                            "millrace://" + address),
                    "");
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            return outcome.out();
        }
    }

    private void compile(Path api) throws IOException {
        Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "--release",
                        "17",
                        "-cp",
                        api.toString(),
                        "-d",
                        directory.toString(),
                        source.toString());
        assertThat(compiled).isZero();
    }

    private static Path java17() throws IOException {
        try (Stream<Path> installed = Files.list(Path.of("/usr/lib/jvm"))) {
            Optional<Path> found = Stream.concat(installed, javaOnPath().stream())
                    .filter(ForeignProgramTest::isJava17)
                    .findFirst();
            if (found.isEmpty()) {
                System.out.println("skipped: no Java 17 in /usr/lib/jvm or on the PATH");
                throw new TestAbortedException("no Java 17 in /usr/lib/jvm or on the PATH");
            }
            return found.get();
        }
    }

    private static Optional<Path> javaOnPath() throws IOException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path java = Path.of(folder, "java");
            if (Files.isExecutable(java)) {
                return Optional.ofNullable(java.toRealPath().getParent()).map(Path::getParent);
            }
        }
        return Optional.empty();
    }

    private static boolean isJava17(Path home) {
        Path release = home.resolve("release");
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.isReadable(release)
                    && Files.readString(release).contains("JAVA_VERSION=\"17.");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
