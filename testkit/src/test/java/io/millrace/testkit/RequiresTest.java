package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class RequiresTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @BeforeEach
    void putOneCommandOnThePath() throws IOException {
        Files.createFile(
                directory.resolve("present"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createFile(directory.resolve("not-executable"));
        Files.createDirectory(directory.resolve("a-directory"));
    }

    @Test
    void shouldGoOnWhenTheCommandIsThere() {
        assertThatCode(() -> onMachine().requireCommand("present")).doesNotThrowAnyException();
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void shouldSkipAndSayWhyWhenTheCommandIsMissing() {
        assertThatThrownBy(() -> onMachine().requireCommand("absent")).isInstanceOf(TestAbortedException.class);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("skipped: needs the command absent on the PATH");
    }

    @Test
    void shouldNotTakeOtherFilesForCommands() {
        assertThatThrownBy(() -> onMachine().requireCommand("not-executable")).isInstanceOf(TestAbortedException.class);
        assertThatThrownBy(() -> onMachine().requireCommand("a-directory")).isInstanceOf(TestAbortedException.class);
    }

    @Test
    void shouldFailOnContinuousIntegration() {
        assertThatThrownBy(() -> onContinuousIntegration().requireCommand("absent"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the command absent");
    }

    @Test
    void shouldRequireWhatTheTestSays() {
        assertThatCode(() -> onContinuousIntegration().require(true, "to be root"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> onMachine().require(false, "to be root"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("skipped: needs to be root");
    }

    private Requires onMachine() {
        return in(Map.of("PATH", "/nowhere:" + directory));
    }

    private Requires onContinuousIntegration() {
        return in(Map.of("PATH", "/nowhere:" + directory, "CI", "true"));
    }

    private Requires in(Map<String, String> environment) {
        return new Requires(environment, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }
}
