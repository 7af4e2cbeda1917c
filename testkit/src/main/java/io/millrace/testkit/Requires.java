package io.millrace.testkit;

import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.opentest4j.TestAbortedException;

/**
 * What a test needs from the machine it runs on, such as a command of a Debian package.
 *
 * <p>On a developer's machine a test whose needs are not met is skipped, and says {@code skipped: why}. Where the environment has
 * {@code CI=true} it fails instead: there the packages listed in {@code .ci/packages} are installed, and a test that quietly stopped
 * running would go unnoticed. Call it first in the test, or in a {@code @BeforeAll} for all of a class. Usable from any thread.
 */
public final class Requires {

    private static final Requires THIS_MACHINE = new Requires(System.getenv(), System.out);

    private final Map<String, String> environment;
    private final PrintStream out;

    Requires(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    /**
     * Goes on if a command is on the {@code PATH}.
     *
     * @param name the command without directory, such as {@code kcat}
     * @throws TestAbortedException if it is missing, which skips the test
     * @throws AssertionError if it is missing and this is CI, which fails the test
     */
    public static void command(String name) {
        THIS_MACHINE.requireCommand(name);
    }

    /**
     * Goes on if a condition holds.
     *
     * @param holds whether the machine has what the test needs
     * @param need what that is, as the end of a sentence: "needs ..."
     * @throws TestAbortedException if not, which skips the test
     * @throws AssertionError if not and this is CI, which fails the test
     */
    public static void that(boolean holds, String need) {
        THIS_MACHINE.require(holds, need);
    }

    void requireCommand(String name) {
        require(isOnPath(name), "the command " + name + " on the PATH");
    }

    void require(boolean holds, String need) {
        if (holds) {
            return;
        }
        if ("true".equals(environment.get("CI"))) {
            throw new AssertionError("this test needs " + need + ", and with CI=true it must not be skipped");
        }
        out.println("skipped: needs " + need);
        throw new TestAbortedException("skipped: needs " + need);
    }

    private boolean isOnPath(String name) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(environment.getOrDefault("PATH", ""))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    }
}
