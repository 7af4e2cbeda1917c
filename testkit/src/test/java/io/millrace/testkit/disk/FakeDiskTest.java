package io.millrace.testkit.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FakeDiskTest {
    private final FakeDisk disk = new FakeDisk(new SplittableRandom(1));
    private final Path root = disk.root();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        }
    }

    @Test
    void shouldBehaveLikeAnOrdinaryFileSystem() throws IOException {
        Path directory = Files.createDirectories(root.resolve("a/b"));

        Files.writeString(directory.resolve("x"), "hello");
        Files.move(directory.resolve("x"), directory.resolve("y"), StandardCopyOption.ATOMIC_MOVE);

        assertThat(Files.readString(directory.resolve("y"))).isEqualTo("hello");
        assertThat(Files.exists(directory.resolve("x"))).isFalse();
        try (var list = Files.walk(root)) {
            assertThat(list.map(Path::toString)).containsExactly("/", "/a", "/a/b", "/a/b/y");
        }
        Files.delete(directory.resolve("y"));
        assertThat(disk.openChannels()).isZero();
    }

    @Test
    void shouldKeepForcedBytesAndNamesInEveryCrash() throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            FakeDisk candidate = new FakeDisk(new SplittableRandom(seed));
            Path file = candidate.root().resolve("log");
            try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
                channel.write(bytes("forced"));
                channel.force(false);
                forceDirectory(candidate.root());
                channel.write(bytes(" and not"));

                candidate.crash();
            }
            candidate.restart();

            assertThat(Files.readString(file)).startsWith("forced");
        }
    }

    @Test
    void shouldLoseUnforcedThingsInSomeCrashesAndKeepThemInOthers() throws IOException {
        Set<String> outcomes = new HashSet<>();
        for (int seed = 0; seed < 200; seed++) {
            FakeDisk candidate = new FakeDisk(new SplittableRandom(seed));
            Path file = candidate.root().resolve("log");
            Files.writeString(file, "x".repeat(600));

            candidate.crash();
            candidate.restart();

            if (!Files.exists(file)) {
                outcomes.add("no name");
            } else {
                String text = Files.readString(file);
                outcomes.add(text.isEmpty() ? "empty" : text.equals("x".repeat(600)) ? "whole" : "part");
            }
        }
        assertThat(outcomes).containsExactlyInAnyOrder("no name", "empty", "whole", "part");
    }

    @Test
    void shouldRestoreWhatATruncationRemovedWhenItWasNotForced() throws IOException {
        Set<String> outcomes = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            FakeDisk candidate = new FakeDisk(new SplittableRandom(seed));
            Path file = candidate.root().resolve("log");
            try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
                channel.write(bytes("abcdef"));
                channel.force(true);
                forceDirectory(candidate.root());
                channel.truncate(3);
                candidate.crash();
            }
            candidate.restart();
            outcomes.add(Files.readString(file).replace('\0', '.'));
        }
        assertThat(outcomes).contains("abc", "abcdef");
    }

    @Test
    void shouldKeepThePageCacheWhenOnlyTheProcessDies() throws IOException {
        Path file = root.resolve("log");
        Files.writeString(file, "written");
        FileChannel old = FileChannel.open(file, WRITE);

        disk.kill();
        disk.restart();

        assertThat(Files.readString(file)).isEqualTo("written");
        assertThatThrownBy(() -> old.write(bytes("x"))).isInstanceOf(DiskCrashedException.class);
    }

    @Test
    void shouldCrashAtThePlannedOperation() throws IOException {
        Path file = root.resolve("log");
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        disk.crashAfterOperations(2);

        channel.write(bytes("1"));
        assertThatThrownBy(() -> channel.write(bytes("2"))).isInstanceOf(DiskCrashedException.class);

        assertThat(disk.isDown()).isTrue();
        assertThatThrownBy(() -> Files.readString(file)).isInstanceOf(DiskCrashedException.class);
    }

    @Test
    void shouldInjectFaults() throws IOException {
        Path file = root.resolve("log");
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);

        disk.failForces(true);
        assertThatThrownBy(() -> channel.force(false)).hasMessageContaining("Input/output error");
        disk.failForces(false);
        disk.failWrites(true);
        assertThatThrownBy(() -> channel.write(bytes("x"))).hasMessageContaining("Input/output error");
        disk.failWrites(false);
        disk.capacityBytes(10);
        channel.write(bytes("0123456789"));
        assertThatThrownBy(() -> channel.write(bytes("x"))).hasMessageContaining("No space left");
        assertThat(Files.getFileStore(file).getUsableSpace()).isZero();
        disk.corrupt(file, 3, 1);
        assertThat(Files.readString(file)).isEqualTo("0122456789");
    }

    @Test
    void shouldLockAFileOnceUntilItsHolderDies() throws IOException {
        Path file = root.resolve(".lock");
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);

        assertThat(channel.tryLock()).isNotNull();

        FileChannel second = FileChannel.open(file, WRITE);
        assertThatThrownBy(second::tryLock).isInstanceOf(java.nio.channels.OverlappingFileLockException.class);
        disk.kill();
        disk.restart();
        assertThat(FileChannel.open(file, WRITE).tryLock()).isNotNull();
    }
}
