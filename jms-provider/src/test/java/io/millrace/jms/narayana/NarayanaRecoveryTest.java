package io.millrace.jms.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Narayana, in a program that ends between the commits of two resources, and recovers when it is started again. */
final class NarayanaRecoveryTest {

    @TempDir
    private Path directory;

    @Test
    void shouldRecoverInOnePassWithoutAWarningAndLeaveNothingBehind() throws IOException, InterruptedException {
        run("crash", "named");
        assertThat(FileResource.prepared(directory.resolve("first"))).isZero();
        assertThat(FileResource.prepared(directory.resolve("second"))).isOne();

        List<String> said = run("recover", "named");

        assertThat(said).contains(left(1, 0), left(2, 0));
        assertThat(warnings(said)).isEmpty();
        // It is not said of a branch that is committed that it is rolled back.
        assertThat(said).noneMatch(line -> line.contains("Rolling back"));
    }

    /** That a branch is not found says nothing while its resource was not asked. */
    @Test
    void shouldKeepADecisionAboutAResourceThatRecoveryCannotAsk() throws IOException, InterruptedException {
        run("crash", "named");

        List<String> said = run("recover-half", "named");
        assertThat(said).contains(left(1, 1), left(2, 1));
        assertThat(said).anyMatch(line -> line.contains("first as logged"));

        assertThat(run("recover", "named")).contains(left(1, 0));
    }

    /** What the names are for. */
    @Test
    void shouldNotComeToAnEndWithoutNames() throws IOException, InterruptedException {
        run("crash", "unnamed");

        List<String> said = run("recover", "unnamed");

        assertThat(said).contains(left(1, 1), left(2, 1));
        assertThat(warnings(said.subList(said.indexOf(left(1, 1)), said.size())))
                .isNotEmpty();
    }

    private static String left(int pass, int logged) {
        return CrashingProgram.LEFT_AFTER.formatted(pass, 0, 0, logged);
    }

    private static List<String> warnings(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("WARN") || line.startsWith("ERROR") || line.contains("xception"))
                .toList();
    }

    private List<String> run(String mode, String names) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.jboss.logging.provider=jdk",
                        "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%n",
                        "-Duser.language=en",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingProgram.class.getName(),
                        mode,
                        directory.toString(),
                        names)
                .redirectErrorStream(true)
                .start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join("\n", said)).isZero();
        return said;
    }
}
