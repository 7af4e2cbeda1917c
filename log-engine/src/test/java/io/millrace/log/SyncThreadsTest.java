package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.wire.time.SystemTimeSource;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A storage with its own threads, on a real disk: shards append, others read, the syncer syncs, all at the same time. */
@Timeout(60)
class SyncThreadsTest {
    @TempDir
    Path directory;

    private final ExecutorService shard = Executors.newSingleThreadExecutor();
    private final ExecutorService readers = Executors.newFixedThreadPool(2);
    private DiskLogStorage storage;

    @BeforeEach
    void open() {
        storage = DiskLogStorage.builder(List.of(directory), SystemTimeSource.instance(), new Random(1))
                .threads(Thread.ofPlatform().daemon().name("syncer-", 0).factory())
                .open();
    }

    @AfterEach
    void close() throws InterruptedException {
        readers.shutdownNow();
        shard.shutdown();
        assertThat(shard.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        storage.close();
    }

    /** Publishes the last offset that the log said is durable. */
    private static final class LastSynced implements SyncListener {
        private final AtomicLong offset = new AtomicLong();

        @Override
        public void onSynced(long syncedOffset) {
            offset.set(syncedOffset);
        }

        @Override
        public void onSyncFailed(StorageException failure) {
            throw new AssertionError(failure);
        }
    }

    private PartitionLog create(String name, LogConfig config, SyncListener listener) {
        return storage.create(
                new PartitionId(name, 0), LogRole.DATA, new UUID(1, name.hashCode()), config, shard, listener);
    }

    private <T> T onShard(Callable<T> task) throws ExecutionException, InterruptedException, TimeoutException {
        return shard.submit(task).get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldSyncWhatIsAskedForAndWhatIsNot() throws Exception {
        LastSynced asked = new LastSynced();
        LastSynced notAsked = new LastSynced();
        PartitionLog first = create("first", LogConfig.DEFAULT, asked);
        PartitionLog second = create("second", LogConfig.DEFAULT, notAsked);

        onShard(() -> {
            first.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
            first.requestSync();
            return second.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
        });

        await().until(() -> asked.offset.get() == 1 && notAsked.offset.get() == 1);
        assertThat(first.syncedOffset()).isEqualTo(1);
    }

    @Test
    void shouldReadWhileTheShardAppendsRollsCutsAndRemoves() throws Exception {
        LastSynced synced = new LastSynced();
        PartitionLog log = create(
                "busy",
                LogConfig.builder().segmentBytes(4000).indexIntervalBytes(200).build(),
                synced);
        AtomicBoolean done = new AtomicBoolean();
        List<Future<Long>> reads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Random random = new Random(i);
            reads.add(readers.submit(() -> readUntil(log, done, random)));
        }

        for (int round = 0; round < 300; round++) {
            int number = round;
            onShard(() -> {
                for (int i = 0; i < 10; i++) {
                    long offset = log.logEndOffset();
                    log.append(Batches.of("v" + offset, "v" + (offset + 1)), 0, AppendOrigin.CLIENT);
                }
                log.requestSync();
                if (number % 7 == 0) {
                    log.truncateTo(Math.max(log.logStartOffset(), log.logEndOffset() - 5));
                }
                if (number % 11 == 0) {
                    log.advanceLogStart(Math.max(log.logStartOffset(), log.logEndOffset() - 60));
                }
                return null;
            });
        }
        done.set(true);

        for (Future<Long> read : reads) {
            assertThat(read.get(30, TimeUnit.SECONDS)).as("records read").isPositive();
        }
        await().until(() -> log.syncedOffset() == log.logEndOffset());
    }

    /** Each record says its offset, so a mixture of old and new bytes would show. */
    private static long readUntil(PartitionLog log, AtomicBoolean done, Random random) {
        long count = 0;
        while (!done.get() && !Thread.currentThread().isInterrupted()) {
            LogOffsets now = log.offsets();
            long span = now.logEndOffset() - now.logStartOffset();
            long offset = now.logStartOffset() + (span == 0 ? 0 : random.nextLong(span));
            try {
                LogSlice slice = log.read(offset, 1 + random.nextInt(3000), Long.MAX_VALUE);
                for (String record : Batches.records(slice.batches())) {
                    String[] parts = record.split("=v", 2);
                    assertThat(parts[0]).isEqualTo(parts[1]);
                    count++;
                }
            } catch (OffsetOutOfRangeException e) {
                // Removed or cut off since.
                assertThat(e.offset()).isEqualTo(offset);
            }
        }
        return count;
    }

    @Test
    void shouldSurviveInterruptsOfThoseWhoUseItsFiles() throws Exception {
        LastSynced synced = new LastSynced();
        PartitionLog log = create("interrupted", LogConfig.DEFAULT, synced);

        for (int i = 0; i < 20; i++) {
            String value = "v" + i;
            boolean wasInterrupted = onShard(() -> {
                Thread.currentThread().interrupt();
                log.append(Batches.of(value), 0, AppendOrigin.CLIENT);
                log.read(0, 100, Long.MAX_VALUE);
                return Thread.interrupted();
            });
            assertThat(wasInterrupted).as("the interrupt is kept").isTrue();
        }
        onShard(() -> {
            log.requestSync();
            return null;
        });

        await().until(() -> synced.offset.get() == 20);
        assertThat(Batches.readAll(log)).hasSize(20);
        assertThat(storage.directories().getFirst().failure()).isEmpty();
    }

    @Test
    void shouldFindEverythingAfterACloseWhileTheSyncerWorked() throws Exception {
        LastSynced synced = new LastSynced();
        PartitionLog log = create("closed", LogConfig.DEFAULT, synced);
        ByteBuffer batch = Batches.of("x".repeat(100));
        for (int i = 0; i < 200; i++) {
            onShard(() -> {
                log.requestSync();
                return log.append(batch.duplicate(), 0, AppendOrigin.CLIENT);
            });
        }
        storage.close();
        open();

        assertThat(storage.startKind()).isEqualTo(StartKind.CLEAN);
        PartitionLog found = storage.open(
                new PartitionId("closed", 0),
                LogRole.DATA,
                new UUID(1, "closed".hashCode()),
                LogConfig.DEFAULT,
                shard,
                synced);
        assertThat(found.offsets().logEndOffset()).isEqualTo(200);
        assertThat(found.syncedOffset()).isEqualTo(200);
    }
}
