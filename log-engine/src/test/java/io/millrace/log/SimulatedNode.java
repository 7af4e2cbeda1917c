package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One node in a simulation: a disk that fails, the storage on it, a shard that is stepped, and what happened. Everything is by chance
 * under one seed, in one thread.
 */
final class SimulatedNode {
    final Random random;
    final FakeDisk disk;
    final FakeTimeSource time = new FakeTimeSource();
    final Path directory;
    final SteppedExecutor shard = new SteppedExecutor();

    private final List<String> history = new ArrayList<>();
    private int boot;
    private int crashes;
    private @Nullable DiskLogStorage storage;

    /** A start that may find the disk going down. */
    @FunctionalInterface
    interface Start {
        void run() throws IOException;
    }

    SimulatedNode(long seed) {
        random = new Random(seed);
        disk = new FakeDisk(new Random(random.nextLong()));
        directory = disk.root().resolve("data");
    }

    void note(String event) {
        history.add(event);
    }

    List<String> history() {
        return history;
    }

    int crashes() {
        return crashes;
    }

    /** Opens the storage on what the disk has. */
    DiskLogStorage open(int maxOpenFiles, long commitJournalBytes) throws IOException {
        storage = null;
        DiskLogStorage opened = DiskLogStorage.builder(List.of(directory), time, new Random(1))
                .bootId("boot-" + boot)
                .maxOpenFiles(maxOpenFiles)
                .commitJournalBytes(commitJournalBytes)
                .open();
        storage = opened;
        return opened;
    }

    DiskLogStorage storage() {
        if (storage == null) {
            throw new IllegalStateException("no storage is open");
        }
        return storage;
    }

    /** A listener of a log; its forces fail in a crash only. */
    SyncListener listener(LongConsumer onSynced) {
        return new SyncListener() {
            @Override
            public void onSynced(long syncedOffset) {
                onSynced.accept(syncedOffset);
            }

            @Override
            public void onSyncFailed(StorageException failure) {
                assertThat(disk.isDown()).as("only a crash fails forces here").isTrue();
            }
        };
    }

    /** A round of the syncer, which the shard hears of at once, or later. */
    void syncRound() {
        note("sync round");
        time.advanceMs(random.nextInt(4));
        storage().runSyncRounds();
        if (random.nextInt(3) > 0) {
            shard.runAll();
        }
    }

    /** The power is cut and comes back while nobody uses the disk. */
    void powerCutAtRest() {
        note("power cut while nobody used the disk");
        disk.crash();
        disk.restart();
        boot++;
    }

    /** Notes that the process has ended, and that its shard did with it. */
    void crashed(boolean powerLoss) {
        crashes++;
        boot += powerLoss ? 1 : 0;
        note("recovery " + crashes + (powerLoss ? " after power loss" : " after kill"));
        shard.dropAll();
    }

    /**
     * Starts until one start comes through: a planned power cut may come in the middle of one.
     *
     * @return whether the first did
     */
    boolean startUntilUp(Start start) throws IOException {
        boolean undisturbed = true;
        while (true) {
            try {
                start.run();
            } catch (StorageException e) {
                if (!disk.isDown()) {
                    throw e;
                }
            }
            disk.cancelPlannedCrash();
            if (!disk.isDown()) {
                return undisturbed;
            }
            note("power cut during recovery");
            undisturbed = false;
            boot++;
            disk.restart();
        }
    }
}
