package io.millrace.server.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in the place of {@code bin/millrace}; the real one is in {@code StartupCacheTest} of system-tests. */
final class CacheMakerTest {
    private static final String GOOD = """
            #!/bin/sh
            # startup-cache train|check FILE
            echo "$2" >> "$(dirname "$0")/../steps"
            case $2 in
              train) echo good > "$3" ;;
              check) grep -q good "$3" ;;
            esac
            """;

    @TempDir
    Path home;

    private Path directory;
    private StartupCache cache;

    @BeforeEach
    void setUp() throws IOException {
        directory = home.resolve("cache");
        cache = new StartupCache(directory.resolve("millrace-1.aot"), home);
        Files.createDirectories(home.resolve("bin"));
        script(GOOD);
    }

    private void script(String text) throws IOException {
        Path script = Files.writeString(home.resolve("bin/millrace"), text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private boolean make() throws InterruptedException {
        try (CacheMaker maker = new CacheMaker(cache, true)) {
            return maker.make();
        }
    }

    @Test
    void shouldMakeAndCheckTheFileAndLeaveNothingElse() throws IOException, InterruptedException {
        assertThat(make()).isTrue();

        assertThat(cache.file()).hasContent("good");
        assertThat(Files.readAllLines(home.resolve("steps"))).containsExactly("train", "check");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("millrace-1.aot", "making.lock", "training.lock");
        }
    }

    @Test
    void shouldKeepTheOldOneWhenTheTrainingFails() throws IOException, InterruptedException {
        make();
        script("#!/bin/sh\necho half > \"$3\"\necho no memory left\nexit 3\n");

        assertThatThrownBy(this::make)
                .isInstanceOf(StartupCacheException.class)
                .hasMessageContaining("ended with 3")
                .hasMessageContaining("no memory left");
        assertThat(cache.file()).hasContent("good");
    }

    @Test
    void shouldNotInstallWhatTheJvmRefuses() throws IOException {
        script(GOOD.replace("echo good", "echo bad"));

        assertThatThrownBy(this::make).isInstanceOf(StartupCacheException.class).hasMessageContaining("refuses");
        assertThat(cache.file()).doesNotExist();
    }

    @Test
    void shouldLeaveItToTheProcessThatIsAtIt() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        try (FileChannel other = FileChannel.open(
                        directory.resolve("making.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(make()).isFalse();
        }
        assertThat(cache.file()).doesNotExist();
        assertThat(make()).isTrue();
    }

    @Test
    void shouldStartNoSecondTrainingWhileThatOfAKilledServerGoesOn() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path half = Files.writeString(directory.resolve("millrace-1.aot.part"), "half");
        try (FileChannel orphan = FileChannel.open(
                        directory.resolve("training.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = orphan.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(make()).isFalse();
        }
        assertThat(half).exists();
        assertThat(home.resolve("steps")).doesNotExist();
        assertThat(make()).isTrue();
    }

    @Test
    void shouldHoldTheLockOfATrainingRunUntilTheProcessEnds() throws IOException, InterruptedException {
        Files.createDirectories(directory);

        assertThat(CacheMaker.lockTraining(directory)).isTrue();

        assertThat(CacheMaker.lockTraining(directory)).isFalse();
        assertThat(make()).isFalse();
    }

    @Test
    void shouldRemoveWhatAKilledMakerLeftAndAllButTheNewest() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("millrace-9.aot.part.config"), "half");
        for (int i = 2; i <= 7; i++) {
            Path old = Files.writeString(directory.resolve("millrace-" + i + ".aot"), "old");
            Files.setLastModifiedTime(old, FileTime.from(Instant.parse("2026-01-0" + i + "T00:00:00Z")));
        }

        make();

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "making.lock",
                            "training.lock",
                            "millrace-1.aot",
                            "millrace-7.aot",
                            "millrace-6.aot",
                            "millrace-5.aot");
        }
    }

    @Test
    void shouldSayWhyADirectoryCannotBeUsed() throws IOException {
        Files.writeString(directory, "not a directory");

        assertThatThrownBy(this::make)
                .isInstanceOf(StartupCacheException.class)
                .hasMessageContaining(directory.toString());
    }

    @Test
    void shouldMakeAMissingOneAndRemakeADamagedOneInTheBackground() throws IOException {
        try (var making = BackgroundMaking.start(cache, Duration.ZERO)) {
            assertThat(making).isNotNull();
            await().untilAsserted(() -> assertThat(cache.file()).hasContent("good"));
        }
        Files.writeString(cache.file(), "damaged");
        try (var making = BackgroundMaking.start(cache, Duration.ZERO)) {
            assertThat(making).isNotNull();
            await().untilAsserted(() -> assertThat(cache.file()).hasContent("good"));
        }
        assertThat(Files.readAllLines(home.resolve("steps")))
                .containsExactly("train", "check", "check", "train", "check");
    }

    @Test
    void shouldLeaveAGoodOneAloneThatThisJvmDoesNotUse() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(cache.file(), "good, made elsewhere");

        try (var making = BackgroundMaking.start(cache, Duration.ZERO)) {
            assertThat(making).isNotNull();
            await().until(() -> Files.exists(home.resolve("steps")));
        }

        assertThat(Files.readAllLines(home.resolve("steps"))).containsExactly("check");
        assertThat(cache.file()).hasContent("good, made elsewhere");
    }

    @Test
    void shouldEndTheTrainingWhenTheServerEnds() throws IOException {
        script("#!/bin/sh\necho $$ > \"$(dirname \"$0\")/../steps\"\nexec sleep 100\n");
        CacheMaker maker = new CacheMaker(cache, true);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                maker.make();
            } catch (StartupCacheException | InterruptedException expected) {
                failure.complete(expected);
            }
        });
        await().until(() -> Files.exists(home.resolve("steps")) && Files.size(home.resolve("steps")) > 1);
        long pid = Long.parseLong(Files.readString(home.resolve("steps")).strip());

        maker.close();

        assertThat(failure.join()).isInstanceOf(StartupCacheException.class);
        await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }
}
