package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others do to a log in use: its files are removed under it, or the process has no descriptor left for it. */
class FilesTakenAwayTest {
    private static final PartitionId ORDERS = new PartitionId("orders", 0);
    private static final LogConfig SMALL_SEGMENTS = LogConfig.builder()
            .segmentBytes(1000)
            .indexIntervalBytes(150)
            .flush(FlushPolicy.OS)
            .build();

    private final FakeDisk disk = new FakeDisk(new Random(1));
    private final FakeTimeSource time = new FakeTimeSource();
    private final SteppedExecutor shard = new SteppedExecutor();
    private final Path data = disk.root().resolve("data");

    private DiskLogStorage storage(Path directory) {
        return DiskLogStorage.builder(List.of(directory), time, new Random(5))
                .bootId("boot")
                .open();
    }

    private PartitionLog create(DiskLogStorage storage, PartitionId partition) {
        return storage.create(
                partition,
                LogRole.DATA,
                new UUID(1, partition.logName().hashCode()),
                SMALL_SEGMENTS,
                shard,
                new RecordingSyncListener());
    }

    private void append(PartitionLog log, String value) {
        assertThat(log.append(Batches.of(value), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
    }

    // ---- removed ------------------------------------------------------------------------------------------------

    private void refusesAppendsFromNowOn(DiskLogStorage storage, PartitionLog log, String missing) {
        append(log, "not looked at again so soon");
        time.advanceMs(1_000);

        assertThatThrownBy(() -> log.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DirectoryReadOnlyException.class)
                .hasMessageContaining(missing)
                .hasMessageContaining("removed, moved or replaced while the broker uses it");
        assertThat(storage.directories().getFirst().failure()).isPresent();
        storage.close();
    }

    @Test
    void shouldNoticeThatItsDirectoryIsGone() throws IOException {
        DiskLogStorage storage = storage(data);
        PartitionLog log = create(storage, ORDERS);
        append(log, "a");
        Files.delete(data.resolve(".lock"));

        refusesAppendsFromNowOn(storage, log, "/data: removed");
    }

    @Test
    void shouldNoticeThatTheFileIsGoneThatItWrites() throws IOException {
        DiskLogStorage storage = storage(data);
        PartitionLog log = create(storage, ORDERS);
        append(log, "a");
        Files.delete(data.resolve("orders-0/00000000000000000000.log"));

        refusesAppendsFromNowOn(storage, log, "/data/orders-0/00000000000000000000.log: removed");
    }

    @Test
    void shouldNoticeThatAnotherDirectoryIsInItsPlace(@TempDir Path temporary) throws IOException {
        Path real = temporary.resolve("data");
        DiskLogStorage storage = storage(real);
        PartitionLog log = create(storage, ORDERS);
        append(log, "a");
        Files.move(real, temporary.resolve("elsewhere"));
        Files.createDirectory(real);
        Files.createFile(real.resolve(".lock"));

        refusesAppendsFromNowOn(storage, log, real + ": removed");
    }

    @Test
    void shouldNotTakeItsOwnChangesForThat() {
        DiskLogStorage storage = storage(data);
        PartitionLog log = create(storage, ORDERS);
        for (int i = 0; i < 40; i++) {
            append(log, "value-" + i);
            time.advanceMs(1_000);
            if (i % 10 == 9) {
                log.truncateTo(log.logEndOffset() - 3);
                log.advanceLogStart(log.logEndOffset() - 2);
                storage.runSyncRounds();
                shard.runAll();
            }
        }
        log.restartAt(100);
        time.advanceMs(1_000);
        append(log, "last");

        assertThat(Batches.readAll(log)).containsExactly("100=last");
        storage.close();
    }

    // ---- too many open files ------------------------------------------------------------------------------------

    private void withoutDescriptors(Runnable work) {
        disk.maxOpenFiles(disk.openFiles());
        try {
            work.run();
        } finally {
            disk.maxOpenFiles(Integer.MAX_VALUE);
        }
    }

    private void refusedForLackOfFiles(Runnable request) {
        withoutDescriptors(() -> assertThatThrownBy(request::run)
                .isInstanceOf(StorageException.class)
                .isNotInstanceOf(DirectoryReadOnlyException.class)
                .hasMessageContaining("oo many open files"));
    }

    @Test
    void shouldOnlyRefuseWhatItHasNoDescriptorFor() {
        DiskLogStorage storage = storage(data);
        PartitionLog log = create(storage, ORDERS);
        PartitionLog other = create(storage, new PartitionId("other", 0));
        append(other, "kept");
        append(log, "value-0");
        log.requestSync();

        withoutDescriptors(() -> {
            for (int i = 0; i < 3; i++) {
                storage.runSyncRounds();
                shard.runAll();
            }
        });
        refusedForLackOfFiles(() -> create(storage, new PartitionId("new", 0)));
        other.close();
        refusedForLackOfFiles(() -> storage.delete(other.partition(), LogRole.DATA));
        refusedForLackOfFiles(() -> {
            for (int i = 0; i < 40; i++) {
                append(log, "value-1");
                log.truncateTo(1);
                log.roll();
            }
        });
        withoutDescriptors(storage::maintain);

        assertThat(storage.directories().getFirst().failure()).isEmpty();
        create(storage, new PartitionId("new", 0));
        storage.delete(other.partition(), LogRole.DATA);
        assertThat(Files.exists(data.resolve("other-0"))).isFalse();
        log.truncateTo(1);
        time.advanceMs(200);
        log.requestSync();
        storage.runSyncRounds();
        shard.runAll();
        assertThat(log.syncedOffset()).isEqualTo(log.logEndOffset()).isEqualTo(1);
        storage.close();
    }

    @Test
    void shouldLeaveALogToTheNextStartThatItHasNoDescriptorToCloseInOrder() {
        DiskLogStorage storage = storage(data);
        PartitionLog log = create(storage, ORDERS);
        append(log, "a");

        withoutDescriptors(log::close);

        assertThat(storage.directories().getFirst().failure()).isEmpty();
        storage.close();
        DiskLogStorage next = storage(data);
        assertThat(next.startKind()).isEqualTo(StartKind.KILLED);
        PartitionLog found = next.open(
                ORDERS,
                LogRole.DATA,
                new UUID(1, "orders".hashCode()),
                SMALL_SEGMENTS,
                shard,
                new RecordingSyncListener());
        assertThat(Batches.readAll(found)).containsExactly("0=a");
        next.close();
    }
}
