package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.log.DiskLogStorage;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.record.internal.UnalignedMemoryRecords;
import org.apache.kafka.raft.Isolation;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.ValidOffsetAndEpoch.Kind;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RawSnapshotWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataLogTest {

    private final FakeDisk disk = new FakeDisk(new Random(5));
    private DiskLogStorage storage = openStorage();
    private MetadataLog log = open(storage);

    @BeforeEach
    void appendTwoEpochs() {
        log.initializeLeaderEpoch(1);
        log.appendAsLeader(batch(0, 1, 3), 1);
        log.appendAsLeader(batch(3, 1, 2), 1);
        log.initializeLeaderEpoch(4);
        log.appendAsLeader(batch(5, 4, 5), 4);
    }

    // ---- append -----------------------------------------------------------------------------------------------------

    @Test
    void shouldHaveALeadersAppendOnDiskWhenItReturns() {
        reopenAfterPowerCut();

        assertThat(log.endOffset().offset()).isEqualTo(10);
        assertThat(log.lastFetchedEpoch()).isEqualTo(4);
    }

    @Test
    void shouldHaveAFollowersAppendOnDiskAfterTheFlush() {
        log.appendAsFollower(batch(10, 4, 2), 6);
        log.appendAsFollower(batch(12, 6, 2), 6);
        log.flush(false);

        reopenAfterPowerCut();

        assertThat(log.endOffset().offset()).isEqualTo(14);
        assertThat(log.lastFetchedEpoch()).isEqualTo(6);
    }

    @Test
    void shouldNotForceAgainWhatIsOnDisk() {
        long operations = disk.operations();

        log.flush(false);

        assertThat(disk.operations()).isEqualTo(operations);
    }

    @Test
    void shouldTakeFromALeaderNothingThatANewerOneWrote() {
        assertThat(log.appendAsFollower(join(batch(10, 4, 1), batch(11, 7, 1)), 6)
                        .lastOffset())
                .isEqualTo(10);

        assertThatExceptionOfType(CorruptRecordException.class)
                .isThrownBy(() -> log.appendAsFollower(batch(11, 7, 1), 6));
        assertThat(log.endOffset().offset()).isEqualTo(11);
    }

    @Test
    void shouldReportDamagedBatchesAsTheRaftCoreKnowsThem() {
        ByteBuffer damaged = ((MemoryRecords) batch(10, 4, 1)).buffer();
        damaged.put(damaged.limit() - 1, (byte) 99);

        assertThatExceptionOfType(CorruptRecordException.class)
                .isThrownBy(() -> log.appendAsFollower(MemoryRecords.readableRecords(damaged), 4))
                .withMessageContaining("at offset 10");
        assertThat(log.endOffset().offset()).isEqualTo(10);
    }

    @Test
    void shouldRefuseBatchesThatDoNotFollow() {
        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> log.appendAsLeader(batch(11, 4, 1), 4))
                .withMessageContaining("UnexpectedOffset");
        assertThatIllegalArgumentException().isThrownBy(() -> log.appendAsLeader(MemoryRecords.EMPTY, 4));
    }

    // ---- read -------------------------------------------------------------------------------------------------------

    @Test
    void shouldReadWholeBatchesUpToTheHighWatermarkOrTheEnd() {
        commit(5);

        assertThat(offsets(log.read(0, Isolation.COMMITTED, Integer.MAX_VALUE).records))
                .containsExactly(0L, 3L);
        assertThat(offsets(log.read(0, Isolation.UNCOMMITTED, Integer.MAX_VALUE).records))
                .containsExactly(0L, 3L, 5L);
        assertThat(offsets(log.read(3, Isolation.UNCOMMITTED, 1).records)).containsExactly(3L);
        assertThat(offsets(log.read(5, Isolation.COMMITTED, Integer.MAX_VALUE).records))
                .isEmpty();
        assertThat(offsets(log.read(10, Isolation.UNCOMMITTED, Integer.MAX_VALUE).records))
                .isEmpty();
        assertThatExceptionOfType(OffsetOutOfRangeException.class)
                .isThrownBy(() -> log.read(11, Isolation.UNCOMMITTED, 100));
    }

    @Test
    void shouldMoveTheHighWatermarkForwardOnly() {
        commit(5);

        assertThatIllegalArgumentException().isThrownBy(() -> commit(4));
        assertThatIllegalArgumentException().isThrownBy(() -> commit(11));
        assertThat(log.highWatermark().offset()).isEqualTo(5);
    }

    // ---- epochs and truncation --------------------------------------------------------------------------------------

    @Test
    void shouldKnowWhereEpochsEndAlsoAfterARestart() {
        for (int start = 0; start < 2; start++) {
            assertThat(log.endOffsetForEpoch(0)).isEqualTo(new OffsetAndEpoch(0, 0));
            assertThat(log.endOffsetForEpoch(1)).isEqualTo(new OffsetAndEpoch(5, 1));
            assertThat(log.endOffsetForEpoch(3)).isEqualTo(new OffsetAndEpoch(5, 1));
            assertThat(log.endOffsetForEpoch(4)).isEqualTo(new OffsetAndEpoch(10, 4));
            assertThat(log.endOffsetForEpoch(9)).isEqualTo(new OffsetAndEpoch(10, 4));
            assertThat(log.validateOffsetAndEpoch(10, 4).kind()).isEqualTo(Kind.VALID);
            assertThat(log.validateOffsetAndEpoch(7, 1).kind()).isEqualTo(Kind.DIVERGING);
            reopenAfterPowerCut();
        }
    }

    @Test
    void shouldForgetAnEpochOfWhichNothingWasWritten() {
        log.initializeLeaderEpoch(8);
        assertThat(log.lastFetchedEpoch()).isEqualTo(8);

        log.truncateTo(10);

        assertThat(log.lastFetchedEpoch()).isEqualTo(4);
        log.initializeLeaderEpoch(8);
        reopenAfterPowerCut();
        assertThat(log.lastFetchedEpoch()).isEqualTo(4);
    }

    @Test
    void shouldCutOffWhatIsNotCommitted() {
        commit(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.truncateTo(4))
                .withMessageContaining("committed records cannot be cut off");

        assertThat(log.truncateToEndOffset(new OffsetAndEpoch(5, 1))).isEqualTo(5);

        assertThat(log.endOffset().offset()).isEqualTo(5);
        assertThat(log.lastFetchedEpoch()).isEqualTo(1);
        reopenAfterPowerCut();
        assertThat(log.endOffset().offset()).isEqualTo(5);
        log.appendAsFollower(batch(5, 6, 1), 6);
        assertThat(log.endOffsetForEpoch(5)).isEqualTo(new OffsetAndEpoch(5, 1));
    }

    // ---- snapshots --------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepTwoSnapshotsAndTheLogFromTheOlderOne() {
        commit(10);
        snapshot(3, 1);
        snapshot(5, 1);
        assertThat(log.startOffset()).isZero();
        assertThat(log.earliestSnapshotId()).contains(new OffsetAndEpoch(3, 1));
        log.appendAsLeader(batch(10, 4, 2), 4);
        commit(12);

        snapshot(10, 4);

        for (int start = 0; start < 2; start++) {
            assertThat(log.startOffset()).isEqualTo(5);
            assertThat(log.earliestSnapshotId()).contains(new OffsetAndEpoch(5, 1));
            assertThat(log.latestSnapshotId()).contains(new OffsetAndEpoch(10, 4));
            assertThat(log.validateOffsetAndEpoch(5, 1).kind()).isEqualTo(Kind.VALID);
            assertThat(log.validateOffsetAndEpoch(3, 1).kind()).isEqualTo(Kind.SNAPSHOT);
            assertThat(log.readSnapshot(new OffsetAndEpoch(3, 1))).isEmpty();
            assertThat(log.maybeClean()).isFalse();
            reopenAfterClose();
        }
        reopenAfterPowerCut();
        assertThat(log.startOffset()).as("found lower again, or not").isIn(0L, 5L);
        assertThat(log.validateOffsetAndEpoch(5, 1).kind()).isEqualTo(Kind.VALID);
    }

    @Test
    void shouldRefuseSnapshotsOfWhatIsNotCommittedOrNotInTheLog() {
        commit(9);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.createNewSnapshot(new OffsetAndEpoch(10, 4)))
                .withMessageContaining("more than is committed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.createNewSnapshot(new OffsetAndEpoch(8, 1)))
                .withMessageContaining("not in this log");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.createNewSnapshot(new OffsetAndEpoch(8, 4)))
                .withMessageContaining("within a batch");
        snapshot(5, 1);
        assertThat(log.createNewSnapshot(new OffsetAndEpoch(5, 1))).as("twice").isEmpty();
    }

    @Test
    void shouldGoOnBehindADownloadedSnapshotOnlyWhenTold() {
        try (RawSnapshotWriter writer =
                log.createNewSnapshotUnchecked(new OffsetAndEpoch(40, 6)).orElseThrow()) {
            writer.append(new UnalignedMemoryRecords(ByteBuffer.wrap(new byte[] {1, 2, 3})));
            assertThat(writer.sizeInBytes()).isEqualTo(3);
            writer.freeze();
            assertThat(writer.isFrozen()).isTrue();
        }
        assertThat(log.endOffset().offset()).isEqualTo(10);

        assertThat(log.truncateToLatestSnapshot()).isTrue();

        for (int start = 0; start < 2; start++) {
            assertThat(log.startOffset()).isEqualTo(40);
            assertThat(log.endOffset().offset()).isEqualTo(40);
            assertThat(log.highWatermark().offset()).isEqualTo(40);
            assertThat(log.lastFetchedEpoch()).isEqualTo(6);
            assertThat(log.endOffsetForEpoch(6)).isEqualTo(new OffsetAndEpoch(40, 6));
            assertThat(log.truncateToLatestSnapshot()).isFalse();
            reopenAfterPowerCut();
        }
        log.appendAsFollower(batch(40, 6, 1), 6);
        assertThat(log.endOffset().offset()).isEqualTo(41);
    }

    @Test
    void shouldFinishWhatACrashBetweenDownloadAndTruncationLeft() {
        try (RawSnapshotWriter writer =
                log.createNewSnapshotUnchecked(new OffsetAndEpoch(40, 6)).orElseThrow()) {
            writer.append((MemoryRecords) batch(0, 6, 1));
            writer.freeze();
        }

        reopenAfterPowerCut();

        assertThat(log.startOffset()).isEqualTo(40);
        assertThat(log.endOffset().offset()).isEqualTo(40);
        assertThat(log.readSnapshot(new OffsetAndEpoch(40, 6))).hasValueSatisfying(reader -> {
            assertThat(reader.sizeInBytes()).isEqualTo(batch(0, 6, 1).sizeInBytes());
            assertThat(reader.slice(2, 100_000).sizeInBytes())
                    .isEqualTo(batch(0, 6, 1).sizeInBytes() - 2);
            assertThat(offsets(reader.records())).containsExactly(0L);
        });
    }

    @Test
    void shouldLeaveNothingOfASnapshotThatWasNotFinished() throws IOException {
        try (RawSnapshotWriter writer =
                log.createNewSnapshotUnchecked(new OffsetAndEpoch(40, 6)).orElseThrow()) {
            writer.append((MemoryRecords) batch(0, 6, 1));
        }
        assertThat(log.latestSnapshotId()).isEmpty();
        assertThat(partialSnapshots()).isZero();
        RawSnapshotWriter abandoned =
                log.createNewSnapshotUnchecked(new OffsetAndEpoch(41, 6)).orElseThrow();
        abandoned.append((MemoryRecords) batch(0, 6, 1));

        disk.kill();
        disk.restart();
        reopen();

        assertThat(log.latestSnapshotId()).isEmpty();
        assertThat(partialSnapshots()).isZero();
    }

    @Test
    void shouldRefuseALogWhoseSnapshotIsMissing() throws IOException {
        commit(10);
        snapshot(3, 1);
        snapshot(5, 1);
        snapshot(10, 4);
        assertThat(log.startOffset()).isEqualTo(5);
        storage.close();
        Files.delete(directory().resolve("00000000000000000005-0000000001.checkpoint"));
        Files.delete(directory().resolve("00000000000000000010-0000000004.checkpoint"));

        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(this::reopen)
                .withMessageContaining("no snapshot of what was before");
    }

    // ---- helpers ----------------------------------------------------------------------------------------------------

    private DiskLogStorage openStorage() {
        return DiskLogStorage.builder(List.of(disk.root().resolve("data")), new FakeTimeSource(), new Random(2))
                .brokerId(1)
                .clusterId("test")
                .open();
    }

    private static MetadataLog open(DiskLogStorage storage) {
        QuorumDirectory parts = QuorumDirectory.openParts(storage, new LogCallbacks(storage::runSyncRounds));
        return new MetadataLog(parts.log(), parts.callbacks(), parts.snapshots());
    }

    private void reopen() {
        storage = openStorage();
        log = open(storage);
    }

    private void reopenAfterPowerCut() {
        disk.crash();
        disk.restart();
        reopen();
    }

    private void reopenAfterClose() {
        storage.close();
        reopen();
    }

    private Path directory() {
        return disk.root().resolve("data").resolve("__cluster_metadata-0");
    }

    private long partialSnapshots() throws IOException {
        try (var files = Files.list(directory())) {
            return files.filter(file -> file.toString().contains(".checkpoint."))
                    .count();
        }
    }

    private void commit(long offset) {
        log.updateHighWatermark(new LogOffsetMetadata(offset));
    }

    private void snapshot(long offset, int epoch) {
        try (RawSnapshotWriter writer =
                log.createNewSnapshot(new OffsetAndEpoch(offset, epoch)).orElseThrow()) {
            writer.append((MemoryRecords) batch(0, epoch, 1));
            writer.freeze();
        }
    }

    private static Records batch(long offset, int epoch, int records) {
        SimpleRecord[] values = new SimpleRecord[records];
        for (int i = 0; i < records; i++) {
            values[i] = new SimpleRecord(1_000, new byte[] {(byte) i, 7});
        }
        return MemoryRecords.withRecords(offset, Compression.NONE, epoch, values);
    }

    private static Records join(Records first, Records second) {
        ByteBuffer joined = ByteBuffer.allocate(first.sizeInBytes() + second.sizeInBytes());
        joined.put(((MemoryRecords) first).buffer().duplicate());
        joined.put(((MemoryRecords) second).buffer().duplicate());
        return MemoryRecords.readableRecords(joined.flip());
    }

    private static List<Long> offsets(Records records) {
        List<Long> offsets = new ArrayList<>();
        for (RecordBatch batch : records.batches()) {
            offsets.add(batch.baseOffset());
        }
        return offsets;
    }
}
