package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kafka's Java client of many years: one program, compiled against each and run with it. 0.11 is the oldest that a Kafka 4 serves, since
 * what older ones send is of a message format that it no longer takes.
 */
final class OldClientsTest {
    private static final Path JARS = Path.of("target", "old-kafka-clients").toAbsolutePath();

    @TempDir
    static Path directory;

    private static BrokerProcess broker;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"0.11.0.3, 200L", "2.1.1, java.time.Duration.ofMillis(200)"})
    void shouldServeAClientOfVersion(String version, String poll) throws IOException, InterruptedException {
        assertServes(version, poll);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"1.1.1, 200L", "4.4.0, java.time.Duration.ofMillis(200)"})
    void shouldServeAClientOfAFurtherVersion(String version, String poll) throws IOException, InterruptedException {
        assertServes(version, poll);
    }

    private static void assertServes(String version, String poll) throws IOException, InterruptedException {
        String classPath = compile(version, poll);

        Outcome outcome = Distribution.run(
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        "OldClientProgram",
                        broker.address(),
                        version),
                "");

        assertThat(outcome.out())
                .as(outcome.err())
                .isEqualTo(
                        "brokers=1 listed=true lastOffset=59 received=120 position=120 end=120 byTime=0 again=0 committed=[yes0, yes2] deleted=true\n");
    }

    /** Returns the class path to run it with. */
    private static String compile(String version, String poll) throws IOException {
        Path classes = Files.createDirectory(directory.resolve(version));
        Path source = Files.writeString(
                classes.resolve("OldClientProgram.java"), program().replace("POLL", poll));
        String libraries = Stream.of(
                        JARS.resolve("kafka-clients-" + version + ".jar").toString(), jar("lz4-java"), jar("slf4j-api"))
                .collect(Collectors.joining(":"));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-nowarn",
                        "-cp",
                        libraries,
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(compiled).isZero();
        return classes + ":" + libraries;
    }

    private static String jar(String name) throws IOException {
        try (Stream<Path> jars = Files.list(JARS)) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith(name))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private static String program() throws IOException {
        try (InputStream text = OldClientsTest.class.getResourceAsStream("OldClientProgram.java.txt")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
