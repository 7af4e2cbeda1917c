package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.EndTransactionMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start makes of the files that a stop, of whichever kind, has left. */
class RecoveryTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final UUID LOG_ID = new UUID(3, 4);
    private static final LogConfig SMALL_SEGMENTS = LogConfig.builder()
            .segmentBytes(400)
            .indexIntervalBytes(100)
            .retentionMs(-1)
            .build();

    private final FakeTimeSource time = new FakeTimeSource();
    private final SteppedExecutor shard = new SteppedExecutor();
    private FakeDisk disk = new FakeDisk(new Random(7));
    private String bootId = "boot-1";
    private @Nullable DiskLogStorage storage;

    private Path directory() {
        return disk.root().resolve("data");
    }

    private Path file(String name) {
        return directory().resolve("orders-0").resolve(name);
    }

    private PartitionLog start(LogConfig config) {
        return start(config, shard);
    }

    private PartitionLog start(LogConfig config, Executor on) {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(directory()), time, new Random(1))
                .bootId(bootId)
                .open();
        storage = opened;
        SyncListener listener = new RecordingSyncListener();
        return opened.find(PARTITION, LogRole.DATA).isPresent()
                ? opened.open(PARTITION, LogRole.DATA, LOG_ID, config, on, listener)
                : opened.create(PARTITION, LogRole.DATA, LOG_ID, config, on, listener);
    }

    private DiskLogStorage storage() {
        if (storage == null) {
            throw new IllegalStateException("not started");
        }
        return storage;
    }

    private void sync(PartitionLog log) {
        log.requestSync();
        storage().runSyncRounds();
        shard.runAll();
    }

    /** A second round writes down what the first one synced. */
    private void syncAndRecord(PartitionLog log) {
        sync(log);
        storage().runSyncRounds();
    }

    private void kill() {
        disk.kill();
        disk.restart();
        shard.dropAll();
    }

    private void cutPower() {
        disk.crash();
        disk.restart();
        shard.dropAll();
        bootId += "x";
    }

    private static void append(PartitionLog log, String... values) {
        for (String value : values) {
            assertThat(log.append(Batches.of(value), 1, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        }
    }

    private static String[] values(int count) {
        return Stream.iterate(0, i -> i + 1).limit(count).map(i -> "value-" + i).toArray(String[]::new);
    }

    private static List<String> records(int from, int to) {
        return Stream.iterate(from, i -> i + 1)
                .limit(to - from)
                .map(i -> i + "=value-" + i)
                .toList();
    }

    private void appendBytes(Path path, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), channel.size());
            channel.force(true);
        }
    }

    // ---- clean ends and kills -----------------------------------------------------------------------------------

    @Test
    void shouldFindEverythingAfterACleanClose() {
        append(start(SMALL_SEGMENTS), values(20));
        storage().close();

        PartitionLog log = start(SMALL_SEGMENTS);

        assertThat(storage().startKind()).isEqualTo(StartKind.CLEAN);
        assertThat(log.syncedOffset()).isEqualTo(20);
        assertThat(Batches.readAll(log)).isEqualTo(records(0, 20));
    }

    @Test
    void shouldReadNoLogFileToStartAfterACleanClose() {
        append(start(LogConfig.DEFAULT), values(100));
        storage().close();
        long before = disk.operations();

        start(LogConfig.DEFAULT);

        assertThat(storage().openFiles())
                .as("the log and its indexes, looked at once")
                .isLessThanOrEqualTo(6);
        assertThat(disk.operations() - before).as("changes of the disk").isLessThan(25);
    }

    @Test
    void shouldFindEverythingWrittenAfterAKill() {
        PartitionLog log = start(SMALL_SEGMENTS);
        append(log, values(10));
        syncAndRecord(log);
        append(log, "value-10", "value-11");
        kill();

        PartitionLog found = start(SMALL_SEGMENTS);

        assertThat(storage().startKind()).isEqualTo(StartKind.KILLED);
        assertThat(Batches.readAll(found)).isEqualTo(records(0, 12));
        assertThat(found.syncedOffset())
                .as("what was not synced is not called so")
                .isLessThan(12);
        sync(found);
        assertThat(found.syncedOffset()).isEqualTo(12);
    }

    @Test
    void shouldTellAKillFromAPowerLoss() {
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind()).isEqualTo(StartKind.FRESH);
        kill();
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind()).isEqualTo(StartKind.KILLED);
        cutPower();
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind()).isEqualTo(StartKind.POWER_LOSS);
        kill();
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind())
                .as("not closed in order since the power loss")
                .isEqualTo(StartKind.POWER_LOSS);
        storage().close();
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind()).isEqualTo(StartKind.CLEAN);
        kill();
        start(LogConfig.DEFAULT);
        assertThat(storage().startKind()).isEqualTo(StartKind.KILLED);
    }

    @Test
    void shouldRecognizeRetriesOfTheLastFiveBatchesAfterAnyStop() {
        PartitionLog log = start(SMALL_SEGMENTS);
        for (int sequence = 0; sequence < 14; sequence += 2) {
            log.append(Batches.fromProducer(9, 3, sequence, "a", "b"), 1, AppendOrigin.CLIENT);
        }
        syncAndRecord(log);

        for (Consumer<RecoveryTest> stop : List.<Consumer<RecoveryTest>>of(
                test -> test.storage().close(), RecoveryTest::kill, RecoveryTest::cutPower)) {
            stop.accept(this);
            log = start(SMALL_SEGMENTS);
            for (int sequence = 4; sequence < 14; sequence += 2) {
                assertThat(log.append(Batches.fromProducer(9, 3, sequence, "a", "b"), 1, AppendOrigin.CLIENT))
                        .isEqualTo(new AppendResult.Duplicate(sequence, sequence + 1, 1001));
            }
            assertThat(log.append(Batches.fromProducer(9, 3, 40, "a"), 1, AppendOrigin.CLIENT))
                    .isEqualTo(new AppendResult.OutOfOrderSequence(9, (short) 3, 14, 40));
        }
    }

    @Test
    void shouldKnowOpenTransactionsAfterAnyStop() {
        PartitionLog log = start(SMALL_SEGMENTS);
        log.append(Batches.inTransaction(9, 0, 0, "a"), 1, AppendOrigin.CLIENT);
        syncAndRecord(log);
        storage().close();
        log = start(SMALL_SEGMENTS);
        log.append(Batches.inTransaction(9, 0, 1, "b"), 1, AppendOrigin.CLIENT);
        kill();

        PartitionLog found = start(SMALL_SEGMENTS);

        assertThatThrownBy(() -> found.append(Batches.fromProducer(9, 0, 2, "c"), 1, AppendOrigin.CLIENT))
                .hasMessageContaining("transaction open since offset 0");
        found.append(Batches.marker(9, 0, EndTransactionMarker.abort(1)), 1, AppendOrigin.COORDINATOR);
        assertThat(found.append(Batches.fromProducer(9, 0, 2, "c"), 1, AppendOrigin.CLIENT))
                .isInstanceOf(AppendResult.Appended.class);
    }

    // ---- torn tails ---------------------------------------------------------------------------------------------

    /** Ends that a write can leave when it is cut short, or when only some of its sectors reach the disk. */
    enum Tail {
        HALF_A_HEADER(30),
        HALF_A_BATCH(70),
        ALL_BUT_ONE_BYTE(-1),
        ZEROS(0);

        final int bytes;

        Tail(int bytes) {
            this.bytes = bytes;
        }
    }

    @ParameterizedTest
    @EnumSource(Tail.class)
    void shouldCutATornTailAtTheLastWholeBatch(Tail tail) throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        kill();
        ByteBuffer batch = Batches.replicated(5, 1, "torn", "torn");
        byte[] torn = new byte[tail == Tail.ZEROS ? 500 : tail.bytes < 0 ? batch.remaining() - 1 : tail.bytes];
        if (tail != Tail.ZEROS) {
            batch.get(0, torn);
        }
        appendBytes(file("00000000000000000000.log"), torn);

        PartitionLog found = start(LogConfig.DEFAULT);

        assertThat(Batches.readAll(found)).isEqualTo(records(0, 5));
        append(found, "value-5");
        syncAndRecord(found);
        cutPower();
        assertThat(Batches.readAll(start(LogConfig.DEFAULT))).isEqualTo(records(0, 6));
    }

    @Test
    void shouldCutABatchWithAWrongChecksumAboveTheSyncedOffset() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        append(log, "value-5", "value-6");
        Path file = file("00000000000000000000.log");
        appendBytes(file, new byte[0]);
        cutPower();
        long batchBytes = Files.size(file) / 7;
        disk.corrupt(file, 5 * batchBytes + 65, 1);

        assertThat(Batches.readAll(start(LogConfig.DEFAULT))).isEqualTo(records(0, 5));
    }

    @Test
    void shouldTellDamageFromATornTailWhereEverythingWrittenIsThere() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        append(log, "value-5", "value-6");
        kill();
        Path file = file("00000000000000000000.log");
        long batchBytes = Files.size(file) / 7;
        disk.corrupt(file, 5 * batchBytes + 65, 1);

        assertThatThrownBy(() -> start(LogConfig.DEFAULT))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("00000000000000000000.log is damaged at position " + 5 * batchBytes)
                .hasMessageContaining("a whole batch with offset 6 follows");
    }

    @Test
    void shouldKeepTheAbortedTransactionsThatAnyStopLeaves() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(3));
        log.append(Batches.inTransaction(9, 0, 0, "aborted"), 1, AppendOrigin.CLIENT);
        log.append(Batches.marker(9, 0, EndTransactionMarker.abort(1)), 1, AppendOrigin.COORDINATOR);
        syncAndRecord(log);
        byte[] index = Files.readAllBytes(file("00000000000000000000.txnindex"));
        assertThat(index).hasSize(34);

        for (Consumer<RecoveryTest> stop : List.<Consumer<RecoveryTest>>of(
                test -> test.storage().close(), RecoveryTest::kill, RecoveryTest::cutPower)) {
            stop.accept(this);
            start(LogConfig.DEFAULT);
            assertThat(Files.readAllBytes(file("00000000000000000000.txnindex")))
                    .isEqualTo(index);
        }
    }

    @Test
    void shouldNotBelieveALengthThatWouldTakeAllMemory() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        kill();
        byte[] huge = new byte[100];
        ByteBuffer.wrap(huge)
                .putLong(5)
                .putInt(Integer.MAX_VALUE - 50)
                .putInt(1)
                .put((byte) 2);
        appendBytes(file("00000000000000000000.log"), huge);

        assertThat(Batches.readAll(start(LogConfig.DEFAULT))).isEqualTo(records(0, 5));
    }

    // ---- damage -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 14, 16, 17, 24, 40, 60, 65})
    void shouldReportDamageBelowTheSyncedOffset(int byteOfBatch) throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        kill();
        Path file = file("00000000000000000000.log");
        long batchBytes = Files.size(file) / 5;
        disk.corrupt(file, 2 * batchBytes + byteOfBatch, 2);

        assertThatThrownBy(() -> Batches.readAll(start(LogConfig.DEFAULT)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(file + " is damaged at position " + 2 * batchBytes)
                .hasMessageContaining("millrace log verify");
    }

    @Test
    void shouldReportDamageAtStartWhereItIsLookedAt() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(5));
        syncAndRecord(log);
        kill();
        Path file = file("00000000000000000000.log");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) - 10);
        }

        assertThatThrownBy(() -> start(LogConfig.DEFAULT))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("was synced up to position");
        assertThat(Files.size(file)).as("nothing is cut").isGreaterThan(100);
    }

    @Test
    void shouldReportAMissingSegment() throws IOException {
        PartitionLog log = start(SMALL_SEGMENTS);
        append(log, values(30));
        syncAndRecord(log);
        List<SegmentInfo> segments = log.segments();
        assertThat(segments).hasSizeGreaterThan(3);
        kill();
        Files.delete(file("%020d.log".formatted(segments.get(1).baseOffset())));

        assertThatThrownBy(() -> start(SMALL_SEGMENTS)).isInstanceOf(LogDamagedException.class);
    }

    @Test
    void shouldReportThatAllSegmentsAreGone() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(3));
        syncAndRecord(log);
        kill();
        Files.delete(file("00000000000000000000.log"));

        assertThatThrownBy(() -> start(LogConfig.DEFAULT))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("no segment at all");
    }

    @Test
    void shouldRefuseTheRemainsOfAnotherLogOfTheSameName() {
        start(LogConfig.DEFAULT);
        storage().close();
        DiskLogStorage opened = DiskLogStorage.builder(List.of(directory()), time, new Random(1))
                .open();

        assertThatThrownBy(() -> opened.open(
                        PARTITION, LogRole.DATA, new UUID(5, 6), LogConfig.DEFAULT, shard, new RecordingSyncListener()))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("another log of the same name");
    }

    // ---- indexes ------------------------------------------------------------------------------------------------

    /** Ways to ruin an index. */
    enum Ruin {
        MISSING,
        EMPTY,
        SHORT,
        NO_WHOLE_ENTRY,
        TOO_LONG,
        ZEROED
    }

    @ParameterizedTest
    @EnumSource(Ruin.class)
    void shouldMakeGoodForRuinedIndexes(Ruin ruin) throws IOException {
        PartitionLog log = start(SMALL_SEGMENTS);
        append(log, values(40));
        syncAndRecord(log);
        storage().close();
        Files.delete(directory().resolve("clean-shutdown"));
        for (Path index : indexes()) {
            ruin(index, ruin);
        }

        PartitionLog found = start(SMALL_SEGMENTS);

        assertThat(Batches.readAll(found)).isEqualTo(records(0, 40));
        for (int offset = 0; offset < 40; offset++) {
            assertThat(found.read(offset, 1, 40).firstOffset()).isEqualTo(offset);
        }
        assertThat(found.offsetForTimestamp(1000))
                .map(TimestampedOffset::offset)
                .hasValue(0L);
        storage().close();
        assertThat(LogVerifier.verify(directory()).isHealthy()).isTrue();
    }

    private List<Path> indexes() throws IOException {
        try (Stream<Path> files = Files.list(directory().resolve("orders-0"))) {
            return files.filter(file -> file.toString().endsWith("index"))
                    .sorted()
                    .toList();
        }
    }

    private void ruin(Path index, Ruin ruin) throws IOException {
        if (ruin == Ruin.MISSING) {
            Files.delete(index);
            return;
        }
        try (FileChannel channel = FileChannel.open(index, StandardOpenOption.WRITE)) {
            long size = channel.size();
            int entryBytes = index.toString().endsWith(".timeindex") ? 12 : 8;
            switch (ruin) {
                case EMPTY -> channel.truncate(0);
                case SHORT -> channel.truncate(size / entryBytes / 2 * entryBytes);
                case NO_WHOLE_ENTRY -> channel.truncate(Math.max(0, size - 3));
                case TOO_LONG -> {
                    ByteBuffer tooFar = ByteBuffer.allocate(entryBytes);
                    for (int i = 0; i < entryBytes; i++) {
                        tooFar.put((byte) 0x70);
                    }
                    channel.write(tooFar.flip(), size);
                }
                case ZEROED -> channel.write(ByteBuffer.allocate((int) size), 0);
                case MISSING -> throw new AssertionError("handled above");
            }
        }
    }

    @Test
    void shouldReadWhatAnIndexThatLiesLeadsAwayFrom() throws IOException {
        PartitionLog log = start(LogConfig.builder().indexIntervalBytes(100).build());
        append(log, values(20));
        log.roll();
        syncAndRecord(log);
        storage().close();
        Path index = file("00000000000000000000.index");
        // The position of an entry in the middle.
        disk.corrupt(index, Files.size(index) / 16 * 8 + 7, 1);

        assertThat(Batches.readAll(start(LogConfig.DEFAULT))).isEqualTo(records(0, 20));
    }

    @Test
    void shouldDoWithoutSnapshotsAndEpochs() throws IOException {
        PartitionLog log = start(SMALL_SEGMENTS);
        for (int i = 0; i < 20; i++) {
            log.append(Batches.fromProducer(5, 0, i, "value-" + i), i / 5, AppendOrigin.CLIENT);
        }
        syncAndRecord(log);
        storage().close();
        try (Stream<Path> files = Files.list(directory().resolve("orders-0"))) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".snapshot")) {
                    disk.corrupt(file, 9, 1);
                }
            }
        }
        Files.delete(file("leader-epoch-checkpoint"));

        PartitionLog found = start(SMALL_SEGMENTS);

        assertThat(found.append(Batches.fromProducer(5, 0, 17, "value-17"), 4, AppendOrigin.CLIENT))
                .isEqualTo(new AppendResult.Duplicate(17, 17, 1000));
        assertThat(found.epochEndOffset(2)).contains(new EpochEnd(2, 15));
        assertThat(Batches.readAll(found)).isEqualTo(records(0, 20));
    }

    // ---- what the simulation found ------------------------------------------------------------------------------

    /** Runs a scenario on many disks, each of which loses something else of what was not forced. */
    private void onManyDisks(Scenario scenario) throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            disk = new FakeDisk(new Random(seed));
            bootId = "boot-1";
            shard.dropAll();
            scenario.run(seed);
        }
    }

    private interface Scenario {
        void run(int number) throws IOException;
    }

    @Test
    void shouldKeepSyncedRecordsWhenRemovedSegmentsComeBackInPart() throws IOException {
        onManyDisks(number -> {
            PartitionLog log = start(SMALL_SEGMENTS);
            append(log, values(12));
            // Never synced, and not needed any more.
            log.roll();
            log.advanceLogStart(12);
            append(log, "value-12", "value-13");
            sync(log);
            cutPower();

            PartitionLog found = start(SMALL_SEGMENTS);

            assertThat(found.logEndOffset()).isEqualTo(14);
            assertThat(Batches.records(found.read(12, 1000, 14).batches())).isEqualTo(records(12, 14));
        });
    }

    @Test
    void shouldKeepSyncedRecordsInASegmentThatAKilledProcessBegan() throws IOException {
        onManyDisks(number -> {
            PartitionLog log = start(SMALL_SEGMENTS);
            append(log, values(3));
            syncAndRecord(log);
            log.roll();
            append(log, "value-3");
            kill();
            PartitionLog killed = start(SMALL_SEGMENTS);
            sync(killed);
            cutPower();

            assertThat(Batches.readAll(start(SMALL_SEGMENTS))).isEqualTo(records(0, 4));
        });
    }

    @Test
    void shouldKeepTheLogThatIsLeftByACutAfterARemoval() throws IOException {
        onManyDisks(number -> {
            PartitionLog log = start(SMALL_SEGMENTS);
            append(log, values(12));
            log.roll();
            log.advanceLogStart(12);
            append(log, "gone");
            // Without a record, the log has no epoch that would tell its start.
            log.truncateTo(12);
            sync(log);
            append(log, "gone");
            disk.crashAfterOperations(new Random(number).nextInt(10));
            try {
                log.truncateTo(12);
            } catch (DirectoryReadOnlyException e) {
                assertThat(disk.isDown()).as("the power went during the cut").isTrue();
            }
            cutPower();

            PartitionLog found = start(SMALL_SEGMENTS);

            assertThat(found.logEndOffset())
                    .as("everything below 12 was synced")
                    .isGreaterThanOrEqualTo(12);
            assertThat(found.logStartOffset()).isEqualTo(12);
        });
    }

    @Test
    void shouldReportDamageInWhatWasSyncedBeforeACut() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(6));
        sync(log);
        log.truncateTo(4);
        storage().runSyncRounds();
        kill();
        Path file = file("00000000000000000000.log");
        disk.corrupt(file, Files.size(file) - 1, 1);

        assertThatThrownBy(() -> Batches.readAll(start(LogConfig.DEFAULT))).isInstanceOf(LogDamagedException.class);
    }

    @Test
    void shouldStartWhereACutThroughTheFirstBatchLeftIt() {
        PartitionLog log = start(LogConfig.DEFAULT);
        log.append(Batches.of("a", "b", "c", "d"), 1, AppendOrigin.CLIENT);
        log.advanceLogStart(2);
        syncAndRecord(log);
        log.truncateTo(2);
        log.append(Batches.of("e"), 2, AppendOrigin.CLIENT);
        kill();

        PartitionLog found = start(LogConfig.DEFAULT);

        assertThat(found.logStartOffset()).isZero();
        assertThat(Batches.readAll(found)).containsExactly("0=e");
    }

    @Test
    void shouldTakeADamagedSnapshotForNone() throws IOException {
        PartitionLog log = start(LogConfig.DEFAULT);
        append(log, values(4));
        storage().close();
        disk.corrupt(file("00000000000000000004.snapshot"), 3, 1);
        log = start(LogConfig.DEFAULT);
        append(log, "value-4");

        log.truncateTo(2);

        assertThat(Batches.readAll(log)).isEqualTo(records(0, 2));
    }

    // ---- the file that says which log it is -----------------------------------------------------------------------

    @Test
    void shouldRefuseALogThatDoesNotSayWhichItIsAndMakeOthers() throws IOException {
        append(start(SMALL_SEGMENTS), values(3));
        storage().close();
        Files.write(file("partition.metadata"), new byte[] {1, 2, 3});

        assertThatThrownBy(() -> start(SMALL_SEGMENTS))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("orders-0")
                .hasMessageContaining("partition.metadata");

        PartitionLog other = storage()
                .create(
                        new PartitionId("bills", 0),
                        LogRole.DATA,
                        new UUID(5, 6),
                        SMALL_SEGMENTS,
                        shard,
                        new RecordingSyncListener());
        append(other, "value-0");
        assertThat(Files.size(file("00000000000000000000.log"))).isPositive();
    }

    // ---- what a start mends is forced -----------------------------------------------------------------------------

    @Test
    void shouldLetALogBeRewrittenWhoseIndexesTheStartMadeAnew() throws IOException {
        PartitionLog before = start(SMALL_SEGMENTS);
        append(before, values(40));
        syncAndRecord(before);
        long second = before.segments().get(1).baseOffset();
        int segments = before.segments().size();
        cutPower();
        // As of a segment in the middle: those behind it are as they should be.
        Files.delete(file("%020d.index".formatted(second)));

        PartitionLog log = start(SMALL_SEGMENTS, Runnable::run);
        syncAndRecord(log);

        assertThat(seenByCleaner(log)).as("of " + segments).isEqualTo(segments - 1);
    }

    @Test
    void shouldForceWhatTheStartWentThroughThoughNothingIsAppended() throws IOException {
        PartitionLog before = start(SMALL_SEGMENTS);
        append(before, values(40));
        syncAndRecord(before);
        int segments = before.segments().size();
        cutPower();
        try (Stream<Path> files = Files.list(file(""))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".snapshot")).toList()) {
                // Then all batches are gone through, and all segments are opened as if they were new.
                Files.delete(file);
            }
        }

        PartitionLog log = start(SMALL_SEGMENTS, Runnable::run);
        syncAndRecord(log);

        assertThat(seenByCleaner(log)).as("of " + segments).isEqualTo(segments - 1);
    }

    /** How many segments the cleaner comes to see. */
    private int seenByCleaner(PartitionLog log) {
        Set<Long> seen = new HashSet<>();
        log.removeConsumed(new ConsumedRecords() {
            @Override
            public long countIn(long firstOffset, long endOffset) {
                seen.add(firstOffset);
                return 0;
            }

            @Override
            public CompletionStage<Found> find(long firstOffset, long endOffset) {
                throw new AssertionError("nothing was consumed");
            }
        });
        assertThat(storage().cleaner(CleanerConfig.DEFAULT, time).cleanDirtiest())
                .isFalse();
        return seen.size();
    }
}
