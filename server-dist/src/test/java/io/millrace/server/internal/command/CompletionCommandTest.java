package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionCommandTest {
    @TempDir
    Path directory;

    /** What a shell offers when the tab key is pressed at the end of these words. */
    private List<String> offered(String shell, String... words) throws IOException, InterruptedException {
        Requires.command(shell);
        Path script = directory.resolve("completion");
        CommandRun printed = CommandRun.of("completion", shell);
        assertThat(printed.exitCode()).as(printed.err()).isZero();
        Files.writeString(script, printed.out());
        String line = String.join(" ", words);
        return run(shell, """
                source %s
                COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
                function=$(complete -p millrace | sed 's/.*-F \\([^ ]*\\).*/\\1/')
                $function millrace "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(
                        script,
                        line.replace("''", "\"\""),
                        words.length - 1,
                        line.replace("''", ""),
                        line.replace("''", "").length()));
    }

    private List<String> run(String shell, String text) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(shell, "--norc", "--noprofile", "-c", text)
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out.lines().map(String::strip).filter(word -> !word.isEmpty()).toList();
    }

    @Test
    void shouldCompleteCommandsInBash() throws IOException, InterruptedException {
        assertThat(offered("bash", "millrace", "co"))
                .contains("consume", "config", "completion")
                .doesNotContain("demo");
    }

    @Test
    void shouldCompleteSubcommandsAndOptionsInBash() throws IOException, InterruptedException {
        assertThat(offered("bash", "millrace", "queues", "''")).contains("create", "list", "describe", "delete");
        assertThat(offered("bash", "millrace", "perf", "jms", "--pro")).contains("--producers");
        assertThat(offered("bash", "millrace", "perf", "jms", "queue:x", "--ack", "''"))
                .contains("client");
    }

    @Test
    void shouldNotOfferWhatIsHidden() throws IOException, InterruptedException {
        assertThat(offered("bash", "millrace", "startup-cache", "''"))
                .contains("create")
                .doesNotContain("train", "check");
    }

    @Test
    void shouldPrintAScriptThatZshTakes() throws IOException, InterruptedException {
        CommandRun printed = CommandRun.of("completion", "zsh");
        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out()).startsWith("autoload -Uz compinit bashcompinit");
        Path script = Files.writeString(directory.resolve("completion"), printed.out());
        // The rest is what bash gets; that it is whole is seen by bash's parser where there is no zsh.
        assertThat(run("bash", "bash -n " + script)).isEmpty();
    }
}
