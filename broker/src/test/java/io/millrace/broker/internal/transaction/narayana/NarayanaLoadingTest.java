package io.millrace.broker.internal.transaction.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class NarayanaLoadingTest {

    /** Also: once for two engines, without listening anywhere, and without regard to settings of an application's transaction manager. */
    @Test
    void shouldLoadNarayanaAtTheFirstCommit() throws IOException, InterruptedException {
        Requires.that(Files.isDirectory(Path.of("/proc/self/fd")), "Linux");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-DCoordinatorEnvironmentBean.startDisabled=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadingProbe.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        int made = lines.indexOf(LoadingProbe.MADE);
        assertThat(made).isPositive();
        assertThat(lines.subList(0, made)).noneMatch(NarayanaLoadingTest::isOfNarayana);
        assertThat(lines.subList(made, lines.size()))
                .filteredOn(line -> line.contains(".TwoPhaseCoordinator "))
                .hasSize(1);
        assertThat(lines).contains(LoadingProbe.COMMITTED + 0);
    }

    private static boolean isOfNarayana(String line) {
        return line.contains(" com.arjuna.") || line.contains(" org.jboss.");
    }
}
