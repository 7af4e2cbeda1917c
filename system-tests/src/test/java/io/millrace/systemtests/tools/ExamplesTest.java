package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts in {@code examples/} do what they say. */
@Tag("long")
@Timeout(240)
final class ExamplesTest {
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
    @CsvSource(delimiter = '|', textBlock = """
                    messaging         | worker 1 did 5, worker 2 did 5, together 10 different orders
                    activity-tracking | shop: 1 bought something;warehouse: 4 events archived
                    log-collection    | collected:;INFO started;ERROR no disk;INFO ended;errors: 1
                    metrics           | web1 last 90 mean 40;web2 last 45 mean 20
                    stream-processing | 3 the;1 end;1 mill;1 race
                    event-sourcing    | from the events:;ann:70;bob:75;as kept:;ann:70;bob:75
                    """)
    void shouldDoWhatItSays(String example, String lines) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Distribution.home().resolve("examples/" + example + ".sh").toString());
        builder.environment().put("SERVER", broker.address());

        Outcome outcome = Distribution.run(builder, "");

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out().lines().map(String::strip)).containsSubsequence(lines.split(";", -1));
    }
}
