package io.millrace.testkit.process;

import io.millrace.testkit.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The unpacked distribution, where the build leaves it. */
public final class BuiltDistribution {
    private BuiltDistribution() {}

    /**
     * Returns its directory. A test that finds none is skipped, as {@link Requires} says.
     *
     * @param project the directory that holds all modules
     */
    public static Path home(Path project) {
        Path target = project.resolve("server-dist/target").toAbsolutePath().normalize();
        List<Path> found = List.of();
        if (Files.isDirectory(target)) {
            try (Stream<Path> files = Files.list(target)) {
                found = files.filter(path -> Files.isExecutable(path.resolve("bin/millrace")))
                        .toList();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        Requires.that(
                !found.isEmpty(), "the built distribution (run the tests with `./millrace test` or `mvn verify`)");
        return found.getFirst();
    }
}
