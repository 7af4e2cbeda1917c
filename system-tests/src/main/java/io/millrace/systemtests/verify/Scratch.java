package io.millrace.systemtests.verify;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory for one trial, whose name says which process made it. What a trial that was killed left behind, mounted file systems
 * and processes included, the next one removes.
 */
final class Scratch implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("millrace-verify-(\\d+)-.*");

    /** A file of this name says that somebody wants to look at the directory. */
    private static final String KEPT = "kept";

    private final Path directory;
    private boolean kept;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    static Scratch create() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        removeLeftovers(parent);
        return new Scratch(Files.createTempDirectory(
                parent, "millrace-verify-" + ProcessHandle.current().pid() + '-'));
    }

    private static void removeLeftovers(Path parent) throws IOException {
        List<Path> leftovers;
        try (Stream<Path> files = Files.list(parent)) {
            leftovers = files.filter(Scratch::isLeftover).toList();
        }
        for (Path leftover : leftovers) {
            endProcesses(leftover);
            Mounts.removeBelow(leftover);
            delete(leftover);
        }
    }

    private static boolean isLeftover(Path path) {
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        return name.matches()
                && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                && !Files.exists(path.resolve(KEPT));
    }

    /** Brokers name their directory on their command line. */
    private static void endProcesses(Path leftover) {
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .map(arguments -> Stream.of(arguments)
                                .anyMatch(argument -> argument.startsWith(leftover.toString() + '/')))
                        .orElse(false))
                .forEach(ProcessHandle::destroyForcibly);
    }

    Path directory() {
        return directory;
    }

    Path resolve(String name) {
        return directory.resolve(name);
    }

    /** Has the directory stay, for somebody to look at it. */
    void keep() throws IOException {
        if (!kept) {
            Files.createFile(directory.resolve(KEPT));
            kept = true;
        }
    }

    @Override
    public void close() throws IOException {
        if (!kept) {
            delete(directory);
        }
    }

    private static void delete(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
