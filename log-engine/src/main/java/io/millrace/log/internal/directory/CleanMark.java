package io.millrace.log.internal.directory;

import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that says that a data directory was closed in order: the next start takes all that is in it as it is. */
public final class CleanMark {
    private static final String FILE_NAME = "clean-shutdown";

    private CleanMark() {}

    /** Whether a directory was closed in order. */
    public static boolean isIn(Path directory) {
        return Files.exists(file(directory));
    }

    /** Has the next start count as one after an end that was not in order. */
    public static void remove(Path directory) throws IOException {
        Files.deleteIfExists(file(directory));
        DurableFiles.forceDirectory(directory);
    }

    static void put(Path directory, String bootId) throws IOException {
        DurableFiles.replace(file(directory), bootId + "\n");
    }

    private static Path file(Path directory) {
        return directory.resolve(FILE_NAME);
    }
}
