package io.millrace.server.internal.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file that {@code bin/millrace} chose for this process: a HotSpot AOT cache (JEP 483, 514, 515) whose name tells the JDK, the
 * jars and the options that it was made with. It may be missing, and it may be one that the JVM refused; both only cost time.
 *
 * @param file the cache
 * @param home the distribution that it belongs to
 */
public record StartupCache(Path file, Path home) {
    private static final String FILE_PROPERTY = "millrace.startup.cache";
    private static final String HOME_PROPERTY = "millrace.home";
    private static final Path MAPPED_FILES = Path.of("/proc/self/maps");

    public StartupCache {
        if (file.getParent() == null) {
            throw new IllegalArgumentException("the startup cache needs a directory: " + file);
        }
    }

    /** Returns the one of this process; empty when it is switched off, has no place, or the program runs without its script. */
    public static Optional<StartupCache> ofThisProcess() {
        String file = System.getProperty(FILE_PROPERTY, "");
        String home = System.getProperty(HOME_PROPERTY, "");
        return file.isEmpty() || home.isEmpty()
                ? Optional.empty()
                : Optional.of(new StartupCache(Path.of(file).toAbsolutePath(), Path.of(home)));
    }

    public Path directory() {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalStateException("a startup cache without a directory: " + file);
        }
        return parent;
    }

    public boolean exists() {
        return Files.isRegularFile(file);
    }

    /** What makes a JVM with the class path of this one use the file, as {@code bin/millrace} does; nothing when there is none. */
    public List<String> jvmOptions() {
        return exists() ? List.of("-XX:AOTCache=" + file, "-XX:+VerifySharedSpaces", "-Xlog:aot*=off") : List.of();
    }

    /**
     * Whether this process runs on the cache. The JVM has no question for that, but it maps the file; where the system does not tell
     * what is mapped, an existing file counts as used.
     */
    boolean isInUse() {
        if (!exists()) {
            return false;
        }
        try {
            String path = file.toRealPath().toString();
            return Files.readAllLines(MAPPED_FILES).stream().anyMatch(line -> line.endsWith(path));
        } catch (IOException untold) {
            return true;
        }
    }
}
