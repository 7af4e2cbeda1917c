package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLogStorageTest {
    private static final UUID LOG_ID = new UUID(3, 4);

    private final FakeTimeSource time = new FakeTimeSource();
    private final FakeDisk disk = new FakeDisk(new Random(7));
    private final SteppedExecutor shard = new SteppedExecutor();
    private final RecordingSyncListener listener = new RecordingSyncListener();
    private final Path data = disk.root().resolve("data");

    private DiskLogStorage.Builder builder(Path... directories) {
        return DiskLogStorage.builder(List.of(directories), time, new Random(5));
    }

    private PartitionLog create(DiskLogStorage storage, String name, LogRole role) {
        return storage.create(new PartitionId(name, 0), role, LOG_ID, LogConfig.DEFAULT, shard, listener);
    }

    private PartitionLog open(DiskLogStorage storage, String name, LogRole role) {
        return storage.open(new PartitionId(name, 0), role, LOG_ID, LogConfig.DEFAULT, shard, listener);
    }

    // ---- directories --------------------------------------------------------------------------------------------

    @Test
    void shouldFormatANewDirectoryAndKnowItAgain() {
        UUID incarnation;
        String cluster;
        try (DiskLogStorage storage = builder(data).brokerId(4).open()) {
            incarnation = storage.incarnation();
            cluster = storage.clusterId();
        }

        try (DiskLogStorage storage = builder(data).brokerId(4).open()) {
            assertThat(storage.incarnation()).isEqualTo(incarnation);
            assertThat(storage.clusterId()).isEqualTo(cluster).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}");
            assertThat(storage.brokerId()).isEqualTo(4);
        }
    }

    @Test
    void shouldRefuseTheDirectoryOfAnotherBrokerOrCluster() {
        builder(data).brokerId(4).clusterId("here").open().close();

        assertThatThrownBy(() -> builder(data).brokerId(5).clusterId("here").open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("belongs to broker 4, and this is broker 5");
        assertThatThrownBy(() -> builder(data).brokerId(4).clusterId("there").open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("belongs to cluster here, and this broker to cluster there");
        builder(data).brokerId(4).open().close();
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        try (DiskLogStorage storage = builder(data).open()) {
            assertThatThrownBy(() -> builder(data).open())
                    .isInstanceOf(DataDirectoryException.class)
                    .hasMessageContaining("/data is in use by another broker, which has locked /data/.lock");
            assertThat(storage.directories()).hasSize(1);
        }
        builder(data).open().close();
    }

    @Test
    void shouldUnlockTheOthersWhenOneDirectoryCannotBeUsed() {
        Path other = disk.root().resolve("other");
        try (DiskLogStorage storage = builder(other).open()) {
            assertThatThrownBy(() -> builder(data, other).open()).isInstanceOf(DataDirectoryException.class);
            assertThat(storage.directories()).hasSize(1);
        }
        builder(data).open().close();
    }

    @Test
    void shouldRefuseANewerFormat() throws IOException {
        builder(data).open().close();
        Path meta = data.resolve("meta.properties");
        Files.writeString(meta, Files.readString(meta).replace("format.version=1", "format.version=2"));

        assertThatThrownBy(() -> builder(data).open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("has format version 2, and this broker knows formats up to 1");
    }

    @Test
    void shouldSayWhatIsWrongWithAnUnreadableMetaFile() throws IOException {
        builder(data).open().close();
        Files.writeString(data.resolve("meta.properties"), "format.version=1\ncluster.id=x\n");

        assertThatThrownBy(() -> builder(data).open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("broker.id is missing");
    }

    @Test
    void shouldRefuseADirectoryThatIsNotWritable(@TempDir Path temporary) throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "no directory");
        assertThatThrownBy(() -> builder(file.resolve("data")).open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("cannot be created");

        // Where not even root can write: the lock file is a directory.
        Path blocked = temporary.resolve("blocked");
        Files.createDirectories(blocked.resolve(".lock"));
        assertThatThrownBy(() -> builder(blocked).open())
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("is not writable");
    }

    @Test
    void shouldPutANewPartitionWhereThereAreFewest() {
        Path first = disk.root().resolve("a");
        Path second = disk.root().resolve("b");
        try (DiskLogStorage storage = builder(first, second).open()) {
            for (int i = 0; i < 6; i++) {
                create(storage, "log" + i, LogRole.DATA);
            }
            create(storage, "log0", LogRole.CURSORS);

            assertThat(storage.directories()).extracting(DirectoryInfo::logs).containsExactly(4, 3);
            create(storage, "log6", LogRole.DATA);
            assertThat(storage.directories()).extracting(DirectoryInfo::logs).containsExactly(4, 4);
        }
        try (DiskLogStorage storage = builder(second, first).open()) {
            assertThat(storage.storedLogs()).hasSize(8);
            assertThat(storage.storedLogs().getFirst().directory()).isEqualTo(first.resolve("log0-0"));
        }
    }

    // ---- logs ---------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepTheCursorsOfAPartitionBesideItsData() {
        try (DiskLogStorage storage = builder(data).open()) {
            assertThatThrownBy(() -> create(storage, "q", LogRole.CURSORS)).isInstanceOf(IllegalStateException.class);
            create(storage, "q", LogRole.DATA).append(Batches.of("data"), 0, AppendOrigin.CLIENT);
            create(storage, "q", LogRole.CURSORS).append(Batches.of("cursor"), 0, AppendOrigin.COORDINATOR);
            assertThat(Files.isDirectory(data.resolve("q-0/cursors"))).isTrue();
        }
        try (DiskLogStorage storage = builder(data).open()) {
            assertThat(storage.storedLogs()).extracting(StoredLog::role).containsExactly(LogRole.DATA, LogRole.CURSORS);
            assertThat(Batches.readAll(open(storage, "q", LogRole.DATA))).containsExactly("0=data");
            assertThat(Batches.readAll(open(storage, "q", LogRole.CURSORS))).containsExactly("0=cursor");
        }
    }

    @Test
    void shouldRefuseToCreateOrOpenTwice() {
        try (DiskLogStorage storage = builder(data).open()) {
            PartitionLog log = create(storage, "q", LogRole.DATA);
            assertThatThrownBy(() -> create(storage, "q", LogRole.DATA)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> open(storage, "q", LogRole.DATA)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> open(storage, "none", LogRole.DATA)).isInstanceOf(IllegalStateException.class);
            log.close();
            assertThat(open(storage, "q", LogRole.DATA).logEndOffset()).isZero();
        }
    }

    @Test
    void shouldRemoveADeletedLogWithItsCursors() throws IOException {
        try (DiskLogStorage storage = builder(data).open()) {
            PartitionLog log = create(storage, "q", LogRole.DATA);
            log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
            create(storage, "q", LogRole.CURSORS).close();

            log.delete();

            assertThat(storage.storedLogs()).isEmpty();
            assertThat(storage.find(new PartitionId("q", 0), LogRole.CURSORS)).isEmpty();
            assertThat(Files.exists(data.resolve("q-0"))).isFalse();
            storage.runSyncRounds();
            try (var files = Files.list(data)) {
                assertThat(files.filter(Files::isDirectory)).isEmpty();
            }
            PartitionLog again = create(storage, "q", LogRole.DATA);
            assertThat(again.offsets()).isEqualTo(new LogOffsets(0, 0, 0, 0, -1, 0));
        }
    }

    @Test
    void shouldNotFindADeletedLogAgainAfterAPowerCut() throws IOException {
        DiskLogStorage storage = builder(data).open();
        create(storage, "q", LogRole.DATA).append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        create(storage, "kept", LogRole.DATA);
        storage.storedLogs();
        storage.close();
        storage = builder(data).open();
        storage.delete(new PartitionId("q", 0), LogRole.DATA);
        storage.delete(new PartitionId("never", 0), LogRole.DATA);
        disk.crash();
        disk.restart();

        try (DiskLogStorage found = builder(data).open()) {
            assertThat(found.storedLogs())
                    .extracting(log -> log.partition().logName())
                    .containsExactly("kept");
            try (var files = Files.list(data)) {
                assertThat(files.filter(Files::isDirectory)).hasSize(1);
            }
        }
    }

    @Test
    void shouldFindACreatedLogAfterAPowerCutAtAnyMoment() {
        for (int operations = 0; operations < 40; operations++) {
            FakeDisk fresh = new FakeDisk(new Random(operations));
            Path directory = fresh.root().resolve("data");
            boolean created = false;
            fresh.crashAfterOperations(20 + operations);
            try {
                DiskLogStorage storage = builder(directory).open();
                create(storage, "q", LogRole.DATA);
                created = !fresh.isDown();
            } catch (StorageException e) {
                assertThat(fresh.isDown()).isTrue();
            }
            if (!fresh.isDown()) {
                fresh.crash();
            }
            fresh.restart();

            DiskLogStorage storage = builder(directory).open();
            boolean found = storage.find(new PartitionId("q", 0), LogRole.DATA).isPresent();
            assertThat(found || !created)
                    .as("power cut after %d operations", operations)
                    .isTrue();
            PartitionLog log = found ? open(storage, "q", LogRole.DATA) : create(storage, "q", LogRole.DATA);
            assertThat(log.append(Batches.of("a"), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        }
    }

    @Test
    void shouldBoundItsOpenFilesWhateverTheNumberOfLogs() {
        try (DiskLogStorage storage = builder(data).maxOpenFiles(20).open()) {
            List<PartitionLog> logs = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                logs.add(create(storage, "log" + i, LogRole.DATA));
            }
            for (PartitionLog log : logs) {
                log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
                log.requestSync();
            }
            storage.runSyncRounds();
            shard.runAll();
            for (PartitionLog log : logs) {
                log.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
                log.requestSync();
                storage.runSyncRounds();
                shard.runAll();
                assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b");
                assertThat(storage.openFiles()).as("unsynced files aside").isLessThanOrEqualTo(20);
            }
            assertThat(disk.openChannels()).isLessThanOrEqualTo(25);
        }
        assertThat(disk.openChannels()).isZero();
    }

    // ---- full disks ---------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseSendersAndGoOnWithCursorsWhenTheDiskIsFull() {
        DiskLogStorage storage = builder(data).reserveBytes(3 << 20).open();
        PartitionLog queue = create(storage, "q", LogRole.DATA);
        PartitionLog cursors = create(storage, "q", LogRole.CURSORS);
        queue.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        fillDisk();

        assertThatThrownBy(() -> queue.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("no space for")
                .hasMessageContaining("log q-0");
        assertThat(cursors.append(Batches.of("c"), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        assertThat(queue.append(Batches.of("m"), 0, AppendOrigin.COORDINATOR))
                .isInstanceOf(AppendResult.Appended.class);
        assertThat(storage.directories().getFirst().reserveBytes()).isEqualTo(2 << 20);
        assertThat(storage.directories().getFirst().reserveFull()).isFalse();
        assertThatThrownBy(() -> queue.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .as("what the reserve gave is not for senders")
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("which is not whole");
        assertThat(Batches.readAll(queue)).containsExactly("0=a", "1=m");

        disk.capacityBytes(Long.MAX_VALUE);
        storage.maintain();

        assertThat(storage.directories().getFirst().reserveFull()).isTrue();
        assertThat(queue.append(Batches.of("b"), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        assertThat(storage.directories().getFirst().failure()).isEmpty();
        storage.close();
    }

    /** Found by {@code ./millrace verify diskfull}: a client that repeated a batch after a restart was told that it was refused. */
    @Test
    void shouldSayOfARepeatedBatchThatItIsStoredThoughTheDiskIsFull() {
        DiskLogStorage storage = builder(data).reserveBytes(3 << 20).open();
        PartitionLog queue = create(storage, "q", LogRole.DATA);
        queue.append(Batches.fromProducer(1, 0, 0, "a"), 0, AppendOrigin.CLIENT);
        fillDisk();
        queue.append(Batches.of("m"), 0, AppendOrigin.COORDINATOR);

        assertThat(queue.append(Batches.fromProducer(1, 0, 0, "a"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new AppendResult.Duplicate(0, 0, 1000));
        assertThatThrownBy(() -> queue.append(Batches.fromProducer(1, 0, 1, "b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DiskFullException.class);
        disk.capacityBytes(Long.MAX_VALUE);
        storage.close();
    }

    @Test
    void shouldLeaveTheLogAsItWasWhenAWriteFindsNoSpace() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = storage.create(
                new PartitionId("q", 0),
                LogRole.DATA,
                LOG_ID,
                LogConfig.builder().segmentBytes(100).build(),
                shard,
                listener);
        log.append(Batches.fromProducer(1, 0, 0, "a"), 0, AppendOrigin.CLIENT);
        disk.shortWrites(true);
        fillDisk();

        for (int i = 0; i < 3; i++) {
            // Needs a new segment, which the full disk may or may not give.
            assertThatThrownBy(() -> log.append(Batches.fromProducer(1, 0, 1, "b"), 0, AppendOrigin.CLIENT))
                    .isInstanceOf(DiskFullException.class);
        }
        disk.capacityBytes(Long.MAX_VALUE);

        assertThat(log.append(Batches.fromProducer(1, 0, 1, "b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(AppendResult.Appended.class);
        assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b");
        storage.close();
    }

    @Test
    void shouldStartOnAFullDisk() {
        DiskLogStorage storage = builder(data).reserveBytes(1 << 20).open();
        create(storage, "q", LogRole.DATA).append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        create(storage, "q", LogRole.CURSORS);
        storage.close();
        fillDisk();

        DiskLogStorage found = builder(data).reserveBytes(1 << 20).open();

        assertThat(Batches.readAll(open(found, "q", LogRole.DATA))).containsExactly("0=a");
        assertThat(open(found, "q", LogRole.CURSORS).append(Batches.of("c"), 0, AppendOrigin.COORDINATOR))
                .isInstanceOf(AppendResult.Appended.class);
        disk.capacityBytes(Long.MAX_VALUE);
        found.close();
    }

    @Test
    void shouldGiveAQueueThatFilledTheDiskItsCursors() {
        DiskLogStorage storage = builder(data).reserveBytes(4 << 20).open();
        create(storage, "q", LogRole.DATA).append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        fillDisk();

        assertThatThrownBy(() -> create(storage, "r", LogRole.DATA)).isInstanceOf(DiskFullException.class);
        PartitionLog cursors = create(storage, "q", LogRole.CURSORS);

        assertThat(cursors.append(Batches.of("c"), 0, AppendOrigin.COORDINATOR))
                .isInstanceOf(AppendResult.Appended.class);
        assertThat(storage.directories().getFirst().failure()).isEmpty();
        disk.capacityBytes(Long.MAX_VALUE);
        storage.close();
    }

    private long used() {
        try {
            disk.capacityBytes(Long.MAX_VALUE);
            return Long.MAX_VALUE - Files.getFileStore(data).getUsableSpace();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void fillDisk() {
        disk.capacityBytes(used());
    }

    // ---- broken disks -------------------------------------------------------------------------------------------

    @Test
    void shouldBecomeReadOnlyForGoodWhenAForceFails() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        PartitionLog other = create(storage, "r", LogRole.DATA);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        other.append(Batches.of("x"), 0, AppendOrigin.CLIENT);
        log.requestSync();
        disk.failForces(true);
        storage.runSyncRounds();
        disk.failForces(false);
        shard.runAll();

        assertThat(listener.failures).hasSize(1);
        assertThat(listener.failures.getFirst())
                .isInstanceOf(DirectoryReadOnlyException.class)
                .hasMessageContaining("data directory /data is read-only until the broker is restarted");
        assertThatThrownBy(() -> log.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DirectoryReadOnlyException.class);
        assertThatThrownBy(() -> create(storage, "s", LogRole.DATA)).isInstanceOf(DirectoryReadOnlyException.class);
        assertThat(Batches.readAll(log)).as("reads go on").containsExactly("0=a");

        log.requestSync();
        other.requestSync();
        storage.runSyncRounds();
        shard.runAll();

        assertThat(listener.synced).as("never acknowledged by a later force").isEmpty();
        assertThat(listener.failures).as("each log is told once").hasSize(2);
        assertThat(storage.directories().getFirst().failure()).isPresent();
        storage.close();
        assertThat(builder(data).open().startKind()).as("not a clean end").isEqualTo(StartKind.POWER_LOSS);
    }

    @Test
    void shouldTellLogsThatWaitForTheirDelayThatTheirDirectoryFailed() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        disk.failForces(true);
        time.advanceMs(2);
        storage.runSyncRounds();
        shard.runAll();

        assertThat(listener.failures).hasSize(1);
    }

    @Test
    void shouldBecomeReadOnlyWhenAWriteFails() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        disk.failWrites(true);

        assertThatThrownBy(() -> log.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DirectoryReadOnlyException.class)
                .hasMessageContaining("a write to q-0 failed");
        disk.failWrites(false);
        assertThatThrownBy(() -> log.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DirectoryReadOnlyException.class);
        assertThat(Batches.readAll(log)).containsExactly("0=a");
    }

    @Test
    void shouldUseTheOtherDirectoriesWhenOneIsReadOnly() {
        Path other = disk.root().resolve("other");
        DiskLogStorage storage = builder(data, other).open();
        PartitionLog broken = create(storage, "q", LogRole.DATA);
        disk.failWrites(true);
        assertThatThrownBy(() -> broken.append(Batches.of("b"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DirectoryReadOnlyException.class);
        disk.failWrites(false);

        create(storage, "r", LogRole.DATA);
        create(storage, "s", LogRole.DATA);

        assertThat(storage.directories()).extracting(DirectoryInfo::logs).containsExactly(1, 2);
    }

    // ---- syncing ------------------------------------------------------------------------------------------------

    @Test
    void shouldSyncWhatNobodyWaitsForWithinTheDelay() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        assertThat(storage.runSyncRounds()).isZero();

        time.advanceMs(2);

        assertThat(storage.runSyncRounds()).isEqualTo(1);
        shard.runAll();
        assertThat(listener.synced).containsExactly(1L);
        assertThat(storage.runSyncRounds()).as("nothing new").isZero();
    }

    @Test
    void shouldLeaveLogsToTheOperatingSystemThatAreConfiguredSo() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = storage.create(
                new PartitionId("q", 0),
                LogRole.DATA,
                LOG_ID,
                LogConfig.builder().flush(FlushPolicy.OS).build(),
                shard,
                listener);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        time.advanceMs(60_000);
        assertThat(storage.runSyncRounds()).isZero();

        log.requestSync();

        assertThat(storage.runSyncRounds()).as("somebody asks all the same").isEqualTo(1);
    }

    @Test
    void shouldSyncManyLogsInOneRound() {
        DiskLogStorage storage = builder(data).open();
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            PartitionLog log = create(storage, "log" + i, LogRole.DATA);
            log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
            log.requestSync();
            log.requestSync();
            logs.add(log);
        }

        assertThat(storage.runSyncRounds()).isEqualTo(10);
        shard.runAll();

        assertThat(listener.synced).hasSize(10);
        assertThat(logs).allSatisfy(log -> assertThat(log.syncedOffset()).isEqualTo(1));
    }

    @Test
    void shouldNotCallSyncedWhatWasAppendedDuringTheRound() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        log.requestSync();
        storage.runSyncRounds();
        log.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
        shard.runAll();

        assertThat(log.syncedOffset()).isEqualTo(1);
    }

    // ---- retention ----------------------------------------------------------------------------------------------

    private PartitionLog smallSegments(DiskLogStorage storage, LogConfig.Builder config) {
        return storage.create(
                new PartitionId("q", 0),
                LogRole.DATA,
                LOG_ID,
                config.segmentBytes(150).build(),
                shard,
                listener);
    }

    @Test
    void shouldRemoveWholeConsumedSegments() throws IOException {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = smallSegments(storage, LogConfig.builder());
        for (int i = 0; i < 10; i++) {
            log.append(Batches.of("v" + i), 0, AppendOrigin.CLIENT);
        }
        assertThat(log.segments()).hasSize(5);

        assertThat(log.advanceLogStart(5).segments())
                .as("two records a segment")
                .isEqualTo(2);

        assertThat(log.segments()).extracting(SegmentInfo::baseOffset).containsExactly(4L, 6L, 8L);
        storage.runSyncRounds();
        assertThat(Files.exists(data.resolve("q-0/00000000000000000002.log"))).isFalse();
        assertThat(Files.exists(data.resolve("q-0/00000000000000000002.index"))).isFalse();
        assertThat(Files.exists(data.resolve("q-0/00000000000000000004.log"))).isTrue();
        log.roll();
        assertThat(log.advanceLogStart(10).segments()).isEqualTo(3);
        assertThat(log.sizeBytes()).isZero();
        storage.close();
    }

    @Test
    void shouldKeepItsStartOverACleanClose() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = create(storage, "q", LogRole.DATA);
        log.append(Batches.of("a", "b", "c"), 0, AppendOrigin.CLIENT);
        log.advanceLogStart(2);
        storage.close();

        assertThat(open(builder(data).open(), "q", LogRole.DATA).logStartOffset())
                .isEqualTo(2);
    }

    @Test
    void shouldRetainByTimeUnderTheFloor() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log = smallSegments(storage, LogConfig.builder().retentionMs(1000));
        long now = time.wallClockMs();
        for (int i = 0; i < 10; i++) {
            log.append(Batches.at(now + i * 200L, "v" + i), 0, AppendOrigin.CLIENT);
        }

        assertThat(log.retain(now + 1900, 3).segments())
                .as("offset 3 is needed")
                .isEqualTo(1);
        assertThat(log.logStartOffset()).isEqualTo(2);
        assertThat(log.retain(now + 1900, Long.MAX_VALUE).segments()).isEqualTo(1);
        assertThat(log.logStartOffset()).isEqualTo(4);
        assertThat(log.retain(now + 100_000, Long.MAX_VALUE).segments())
                .as("all, the active one too")
                .isEqualTo(3);
        assertThat(log.offsets()).isEqualTo(new LogOffsets(10, 0, 10, 10, 0, 0));
    }

    @Test
    void shouldRetainBySizeUnderTheFloor() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog log =
                smallSegments(storage, LogConfig.builder().retentionMs(-1).retentionBytes(300));
        for (int i = 0; i < 10; i++) {
            log.append(Batches.of("v" + i), 0, AppendOrigin.CLIENT);
        }
        long segmentBytes = log.segments().getFirst().sizeBytes();

        assertThat(log.retain(0, 2)).isEqualTo(new RetentionResult(1, segmentBytes));
        assertThat(log.retain(0, Long.MAX_VALUE).segments()).isEqualTo(1);
        assertThat(log.sizeBytes()).isGreaterThanOrEqualTo(300);
        assertThat(log.retain(0, Long.MAX_VALUE)).isEqualTo(RetentionResult.NOTHING);
    }

    @Test
    void shouldRollByTimeAndByFullIndex() {
        DiskLogStorage storage = builder(data).open();
        PartitionLog byTime = storage.create(
                new PartitionId("time", 0),
                LogRole.DATA,
                LOG_ID,
                LogConfig.builder().rollMs(1000).build(),
                shard,
                listener);
        byTime.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        time.advanceMs(1000);
        byTime.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
        assertThat(byTime.segments()).hasSize(2);
        time.advanceMs(1000);
        byTime.retain(time.wallClockMs(), 0);
        assertThat(byTime.segments()).as("without an append").hasSize(3);

        PartitionLog byIndex = storage.create(
                new PartitionId("index", 0),
                LogRole.DATA,
                LOG_ID,
                LogConfig.builder().indexIntervalBytes(0).indexMaxBytes(64).build(),
                shard,
                listener);
        for (int i = 0; i < 30; i++) {
            byIndex.append(Batches.at(i, "v"), 0, AppendOrigin.CLIENT);
        }
        assertThat(byIndex.segments()).hasSizeGreaterThan(3);
        assertThat(byIndex.read(17, 1, 30).firstOffset()).isEqualTo(17);
    }
}
