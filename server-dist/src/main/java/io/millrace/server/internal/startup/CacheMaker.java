package io.millrace.server.internal.startup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a startup cache. The file appears under its name whole, synced and checked, or not at all; JVMs that run on an older one keep
 * what they have mapped. One process at a time makes one in a directory. One thread makes it, and {@link #close} may come from another.
 */
public final class CacheMaker implements AutoCloseable {
    /** For the JDKs and the versions that somebody goes back and forth between. */
    private static final int KEPT = 4;

    private static final String LOCK = "making.lock";

    /** Held by the training run itself: it goes on when the server that began it was killed. */
    private static final String TRAINING_LOCK = "training.lock";

    private static final String UNFINISHED = ".part";

    /** A channel that is not referred to is closed, and its lock is lost. */
    private static final List<FileChannel> HELD_TO_THE_END = new CopyOnWriteArrayList<>();

    private final StartupCache cache;
    private final CacheProcesses processes;

    /**
     * Prepares.
     *
     * @param besideServer whether a server runs meanwhile, to which the processor is left
     */
    public CacheMaker(StartupCache cache, boolean besideServer) {
        this.cache = cache;
        this.processes = new CacheProcesses(cache.home(), besideServer);
    }

    /**
     * Makes the cache, also where there is one already. Takes some seconds.
     *
     * @return false if another process is making one here, or a training run goes on whose maker was killed
     * @throws StartupCacheException if it cannot be made
     */
    public boolean make() throws InterruptedException {
        Path directory = cache.directory();
        try {
            Files.createDirectories(directory);
            try (FileChannel lockFile = FileChannel.open(
                            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = tryLock(lockFile)) {
                if (lock == null || trains(directory)) {
                    return false;
                }
                removeUnfinished(directory);
                Path part = directory.resolve(cache.file().getFileName() + UNFINISHED);
                make(part);
                removeUnfinished(directory);
                removeOld(directory);
                return true;
            }
        } catch (IOException impossible) {
            throw new StartupCacheException(
                    "no startup cache can be made in " + directory + ": " + impossible, impossible);
        }
    }

    private void make(Path part) throws IOException, InterruptedException {
        CacheProcesses.Ended trained = processes.train(part);
        if (trained.exitCode() != 0 || !Files.isRegularFile(part)) {
            throw new StartupCacheException("the training run for the startup cache ended with " + trained.exitCode()
                    + " and left no file: " + trained.lastWords());
        }
        CacheProcesses.Ended checked = processes.check(part);
        if (checked.exitCode() != 0) {
            throw new StartupCacheException(
                    "the JVM refuses the startup cache that it has just made: " + checked.lastWords());
        }
        try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(part, cache.file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whether a JVM with the usual options takes the file as it is. */
    boolean isUsable() throws InterruptedException {
        try {
            return processes.check(cache.file()).exitCode() == 0;
        } catch (IOException cannotStart) {
            throw new StartupCacheException("the startup cache cannot be checked: " + cannotStart, cannotStart);
        }
    }

    /** A server that is killed again and again would otherwise leave one more training run each time, and start slower each time. */
    private static boolean trains(Path directory) throws IOException {
        try (FileChannel lockFile = openTrainingLock(directory);
                FileLock lock = tryLock(lockFile)) {
            return lock == null;
        }
    }

    /**
     * Says that this process is a training run for a file in the directory, until the process is gone: the JVM puts the file together at
     * its very end.
     *
     * @return false if another process is one
     */
    public static boolean lockTraining(Path directory) throws IOException {
        FileChannel lockFile = openTrainingLock(directory);
        if (tryLock(lockFile) == null) {
            lockFile.close();
            return false;
        }
        HELD_TO_THE_END.add(lockFile);
        return true;
    }

    private static FileChannel openTrainingLock(Path directory) throws IOException {
        return FileChannel.open(directory.resolve(TRAINING_LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static @Nullable FileLock tryLock(FileChannel lockFile) throws IOException {
        try {
            return lockFile.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    /** What a maker that was killed has left. Whoever holds the lock knows that nobody is at it any more. */
    private static void removeUnfinished(Path directory) throws IOException {
        for (Path file : files(directory)) {
            if (file.getFileName().toString().contains(UNFINISHED)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void removeOld(Path directory) throws IOException {
        List<Path> newestFirst = files(directory).stream()
                .filter(file -> file.getFileName().toString().endsWith(".aot"))
                .sorted(Comparator.comparing(CacheMaker::modified).reversed())
                .toList();
        for (Path old : newestFirst.subList(Math.min(KEPT, newestFirst.size()), newestFirst.size())) {
            Files.deleteIfExists(old);
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Ends what is being made; {@link #make} then fails. */
    @Override
    public void close() {
        processes.close();
    }
}
