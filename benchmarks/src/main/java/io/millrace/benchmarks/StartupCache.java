package io.millrace.benchmarks;

import io.millrace.benchmarks.program.BenchmarkException;
import java.io.IOException;
import java.nio.file.Path;

/** The cache that makes later starts of an installed Millrace quick, in a directory of the benchmark's own. */
public final class StartupCache {

    /** Says to {@code bin/millrace} where the cache is, or that it is off. */
    public static final String VARIABLE = "MILLRACE_STARTUP_CACHE";

    private StartupCache() {}

    /** Makes it, as the first start of an installation does in the background. */
    public static void create(Path home, Path caches) {
        try {
            ProcessBuilder create =
                    new ProcessBuilder(home.resolve("bin/millrace").toString(), "startup-cache", "create").inheritIO();
            create.environment().put(VARIABLE, caches.toString());
            int exitCode = create.start().waitFor();
            if (exitCode != 0) {
                throw new BenchmarkException("`millrace startup-cache create` ended with " + exitCode);
            }
        } catch (IOException e) {
            throw new BenchmarkException("cannot run `millrace startup-cache create`: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("stopped while the startup cache was made", e);
        }
    }
}
