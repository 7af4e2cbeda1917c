package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The scripts in the distribution's {@code bin/}, run in a directory of the test as its users would. */
final class Scripts {
    private final Path directory;

    /**
     * @param directory where they are run
     */
    Scripts(Path directory) {
        this.directory = directory;
    }

    static Path script(String name) {
        return Distribution.home().resolve("bin").resolve(name);
    }

    Outcome run(String script, String... arguments) throws IOException, InterruptedException {
        return runWith("", script, arguments);
    }

    Outcome runWith(String input, String script, String... arguments) throws IOException, InterruptedException {
        return Distribution.run(builder(script, arguments), input);
    }

    ProcessBuilder builder(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script(script).toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(directory.toFile());
    }

    /** Returns what a script printed that must end well. */
    String out(String script, String... arguments) throws IOException, InterruptedException {
        return outWith("", script, arguments);
    }

    /** As {@link #out}, with something on its standard input. */
    String outWith(String input, String script, String... arguments) throws IOException, InterruptedException {
        Outcome outcome = runWith(input, script, arguments);
        assertThat(outcome.exitCode())
                .as(script + "\n" + outcome.out() + outcome.err())
                .isZero();
        return outcome.out();
    }
}
