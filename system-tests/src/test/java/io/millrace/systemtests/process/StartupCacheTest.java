package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class StartupCacheTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(300)
    void shouldStartOnTheCacheThatItMadeAndOnADamagedOneAsOnNone() throws IOException, InterruptedException {
        Path caches = directory.resolve("caches");
        ProcessBuilder create =
                new ProcessBuilder(Distribution.home().resolve("bin/millrace").toString(), "startup-cache", "create");
        create.environment().put("MILLRACE_STARTUP_CACHE", caches.toString());

        Outcome created = Distribution.run(create, "");

        assertThat(created.exitCode()).as(created.out() + created.err()).isZero();
        Path cache = onlyCache(caches);
        assertThat(created.out()).startsWith(cache + ", ");
        try (BrokerProcess broker = start(caches)) {
            assertThat(mapped(broker, cache)).as("the JVM runs on it").isTrue();
            assertThat(broker.terminate()).isZero();
        }

        flip(cache, Files.size(cache) / 2);
        assertStartsWithout(caches, cache);
    }

    /** The ready line is the first that is printed: a JVM that complains of its cache would come before it. */
    private void assertStartsWithout(Path caches, Path cache) throws IOException, InterruptedException {
        Path log = directory.resolve("broker.log");
        Files.deleteIfExists(log);
        try (BrokerProcess broker = start(caches)) {
            assertThat(broker.readyLine()).startsWith("millrace ready");
            assertThat(mapped(broker, cache)).as("the JVM runs on it").isFalse();
            assertThat(broker.terminate()).isZero();
        }
        assertThat(Files.readString(log)).doesNotContain("aot").doesNotContain("AOT");
    }

    private BrokerProcess start(Path caches) throws IOException {
        return BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                0,
                directory.resolve("broker.log"),
                List.of(),
                new BrokerProcess.Surroundings(Map.of("MILLRACE_STARTUP_CACHE", caches.toString()), List.of()));
    }

    private static Path onlyCache(Path caches) throws IOException {
        try (Stream<Path> files = Files.list(caches)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(".aot")).toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }

    private static boolean mapped(BrokerProcess broker, Path cache) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(broker.pid()), "maps"))
                .contains(cache.toRealPath().toString());
    }

    private static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(position);
            int old = access.read();
            access.seek(position);
            access.write(old ^ 0xff);
        }
    }
}
