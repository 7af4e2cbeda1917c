package io.millrace.systemtests.verify;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;

/** Makes the disk of a process misbehave: {@code faultshim.c}, compiled when it is needed, and told what to do by a file. */
final class FaultShim {
    static final int EIO = 5;
    static final int ENOSPC = 28;

    private static final String SOURCE = "faultshim.c";

    private final Path library;
    private final Path control;
    private final Path root;
    private int generation;

    private FaultShim(Path library, Path control, Path root) {
        this.library = library;
        this.control = control;
        this.root = root;
    }

    /** Which calls are hit. */
    enum Operation {
        WRITE("write"),
        SYNC("sync");

        private final String word;

        Operation(String word) {
            this.word = word;
        }
    }

    /**
     * A rule; see {@code faultshim.c}.
     *
     * @param action such as {@code fail}
     * @param skip calls that pass before the first is hit
     * @param count calls that are hit, 0 for all
     * @param path what the file's path must contain
     */
    record Rule(Operation operation, String action, long argument, long skip, long count, String path) {}

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        return Command.exist("gcc") ? Optional.empty() : Optional.of("the command gcc");
    }

    /** Compiles it, for files below a directory. */
    static FaultShim create(Scratch scratch, Path root) throws IOException {
        Path source = scratch.resolve(SOURCE);
        try (InputStream text = FaultShim.class.getResourceAsStream(SOURCE)) {
            if (text == null) {
                throw new NoSuchFileException(SOURCE);
            }
            Files.copy(text, source);
        }
        Path library = scratch.resolve("faultshim.so");
        Command.run("gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        return new FaultShim(library, scratch.resolve("faultshim.control"), root);
    }

    /** What a process is started with to be under it. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAULT_SHIM_CONTROL", control.toString(),
                "FAULT_SHIM_ROOT", root.toString());
    }

    /** From now on, calls are hit by a rule, and by no other. */
    void use(Rule rule) throws IOException {
        generation++;
        write("%d %s %s %d %d %d %s%n"
                .formatted(
                        generation,
                        rule.operation().word,
                        rule.action(),
                        rule.argument(),
                        rule.skip(),
                        rule.count(),
                        rule.path()));
    }

    /** From now on, nothing is hit. */
    void rest() throws IOException {
        Files.deleteIfExists(control);
    }

    private void write(String rule) throws IOException {
        Path next = control.resolveSibling("faultshim.next");
        Files.writeString(next, rule);
        Files.move(next, control, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** How many calls the newest rule has hit. */
    long hits() throws IOException {
        Path file = control.resolveSibling(control.getFileName() + ".hits");
        if (!Files.exists(file)) {
            return 0;
        }
        String mine = generation + " ";
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(mine))
                .count();
    }
}
