package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatchBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.apache.kafka.storage.internals.log.EpochEntry;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.tools.DumpLogSegments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tools and classes read our files, and we read theirs. */
class KafkaLogCompatibilityTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 3);
    private static final UUID LOG_ID = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");

    @TempDir
    Path directory;

    private final FakeTimeSource time = new FakeTimeSource();
    private final RecordingSyncListener listener = new RecordingSyncListener();

    private record Output(String out, String err) {}

    private DiskLogStorage open() {
        return DiskLogStorage.builder(List.of(directory), time, new Random(1)).open();
    }

    private PartitionLog create(DiskLogStorage storage, LogConfig config) {
        return storage.create(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, listener);
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("orders-3"))) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static Output dump(List<Path> files, String... options) throws IOException {
        String names = String.join(",", files.stream().map(Path::toString).toList());
        String[] arguments =
                Stream.concat(Stream.of(options), Stream.of("--files", names)).toArray(String[]::new);
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
            DumpLogSegments.main(arguments);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        return new Output(outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
    }

    /** Several segments, each with several index entries, and all kinds of batches. */
    private void fill(PartitionLog log) {
        for (int i = 0; i < 400; i++) {
            int sequence = i * 2;
            log.append(
                    Batches.fromProducer(i % 3, 0, sequence / 6 * 2, "value-" + i + "a", "value-" + i + "b"),
                    i / 100,
                    AppendOrigin.CLIENT);
        }
        log.append(Batches.inTransaction(50, 0, 0, "never seen"), 4, AppendOrigin.CLIENT);
        log.append(Batches.marker(50, 0, EndTransactionMarker.abort(7)), 4, AppendOrigin.COORDINATOR);
        log.append(Batches.inTransaction(51, 0, 0, "open"), 4, AppendOrigin.CLIENT);
        // Timestamps that go up and down.
        for (int i = 0; i < 100; i++) {
            log.append(Batches.at(5000 + (i * 37) % 1000, "t" + i), 5, AppendOrigin.CLIENT);
        }
    }

    @Test
    void shouldHaveSegmentsThatKafkaDumpsWithoutComplaint() throws IOException {
        try (DiskLogStorage storage = open()) {
            PartitionLog log = create(
                    storage,
                    LogConfig.builder()
                            .segmentBytes(20_000)
                            .indexIntervalBytes(500)
                            .retentionMs(-1)
                            .build());
            fill(log);
            // Idle: what is in memory of the active segment's index is written now and then.
            log.retain(time.wallClockMs(), 0);

            assertDumpsClean();
            assertThat(files(".log")).hasSizeGreaterThan(2);
        }
        assertDumpsClean();
    }

    @Test
    void shouldHaveSegmentsThatKafkaDumpsWithoutComplaintAfterCompaction() throws IOException {
        try (DiskLogStorage storage = open()) {
            PartitionLog log = create(
                    storage,
                    LogConfig.builder()
                            .segmentBytes(3_000)
                            .indexIntervalBytes(500)
                            .cleanup(CleanupConfig.COMPACT.withDeleteRetention(10_000))
                            .build());
            for (int i = 0; i < 400; i++) {
                RecordBatchBuilder batch = Batches.builder()
                        .compression(
                                i % 3 == 0
                                        ? io.millrace.wire.record.Compression.GZIP
                                        : io.millrace.wire.record.Compression.NONE)
                        .producer(5 + i % 4, (short) 0, 2 * (i / 4));
                batch.tryAppend(1_000 + i, new byte[] {(byte) (i % 7)}, i % 11 == 0 ? null : new byte[i % 50]);
                batch.tryAppend(1_000 + i, new byte[] {(byte) (i % 29)}, new byte[i % 50]);
                log.append(batch.build(), 5, AppendOrigin.CLIENT);
            }
            log.requestSync();
            storage.runSyncRounds();
            storage.runSyncRounds();
            compacted = true;
            long before = log.sizeBytes();
            int segments = log.segments().size();
            try (LogCleaner cleaner = storage.cleaner(CleanerConfig.DEFAULT, time)) {
                assertThat(cleaner.cleanDirtiest()).isTrue();
                assertThat(cleaner.stats().compacted().recordsRemoved()).isGreaterThan(500);
            }
            assertThat(log.sizeBytes()).isLessThan(before / 2);
            assertThat(log.segments()).hasSizeLessThan(segments / 2);
            log.retain(time.wallClockMs(), 0);
            assertDumpsClean();
        }
        assertDumpsClean();
    }

    /** Whether records are missing, which the tool says of every compacted log. */
    private boolean compacted;

    private String baseOffsets() throws IOException {
        return String.join(
                "|",
                files(".log").stream()
                        .map(file -> file.getFileName().toString().substring(0, 20))
                        .map(digits -> Long.toString(Long.parseLong(digits)))
                        .toList());
    }

    private void assertDumpsClean() throws IOException {
        String baseOffsets = baseOffsets();
        Output logs = dump(files(".log"), "--print-data-log");
        // It expects every file to begin at offset 0, and says this of the first record of any other, Kafka's own
        // included.
        assertThat(logs.err()
                        .lines()
                        .filter(line -> !line.startsWith("Non-consecutive offsets in "))
                        .filter(line -> !(compacted && line.contains(" is followed by ")))
                        .filter(line -> !line.matches("  -1 is followed by (" + baseOffsets + ")")))
                .isEmpty();
        assertThat(logs.out())
                .contains(
                        compacted
                                ? List.of("offset: 799", "lastOffset: 799")
                                : List.of(
                                        "payload: value-0a",
                                        "payload: value-399b",
                                        "payload: t99",
                                        "endTxnMarker: ABORT coordinatorEpoch: 7"))
                .contains("isvalid: true")
                .doesNotContain("isvalid: false", "invalid bytes");
        for (String suffix : List.of(".index", ".timeindex")) {
            Output indexes = dump(files(suffix));
            assertThat(indexes.err()).as(suffix).isEmpty();
            assertThat(indexes.out()).contains(suffix.equals(".index") ? "position: " : "timestamp: ");
            assertThat(dump(files(suffix), "--index-sanity-check").err()).isEmpty();
        }
        Output snapshots = dump(files(".snapshot"));
        assertThat(snapshots.err()).isEmpty();
        if (compacted) {
            return;
        }
        assertThat(snapshots.out()).contains("producerId: 1 producerEpoch: 0 coordinatorEpoch: -1", "lastSequence: ");
        Output transactions = dump(files(".txnindex"));
        assertThat(transactions.err()).isEmpty();
        assertThat(transactions.out())
                .contains("producerId: 50 firstOffset: 800 lastOffset: 801 lastStableOffset: 802");
    }

    @Test
    void shouldHaveSegmentsThatKafkaDumpsWithoutComplaintAfterRecovery() throws IOException {
        LogConfig config = LogConfig.builder()
                .segmentBytes(20_000)
                .indexIntervalBytes(500)
                .retentionMs(-1)
                .build();
        try (DiskLogStorage storage = open()) {
            fill(create(storage, config));
        }
        for (String suffix : List.of(".index", ".timeindex", ".txnindex", ".snapshot")) {
            for (Path file : files(suffix)) {
                Files.delete(file);
            }
        }
        Files.delete(directory.resolve("clean-shutdown"));
        Files.delete(directory.resolve("synced-offsets"));
        Files.delete(directory.resolve("orders-3/leader-epoch-checkpoint"));

        try (DiskLogStorage storage = open()) {
            PartitionLog log = storage.open(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, listener);
            assertThat(log.epochEndOffset(2)).contains(new EpochEnd(2, 600));
        }

        assertDumpsClean();
    }

    @Test
    void shouldWriteCheckpointsThatKafkaReads() throws IOException {
        try (DiskLogStorage storage = open()) {
            PartitionLog log = create(storage, LogConfig.DEFAULT);
            log.append(Batches.fromProducer(9, 2, 40, "a", "b"), 1, AppendOrigin.CLIENT);
            log.append(Batches.fromProducer(9, 2, 42, "c"), 3, AppendOrigin.CLIENT);
            log.append(Batches.inTransaction(10, 0, 0, "d"), 3, AppendOrigin.CLIENT);
            log.advanceLogStart(1);
        }
        Path partition = directory.resolve("orders-3");
        LogDirFailureChannel failures = new LogDirFailureChannel(1);

        assertThat(new LeaderEpochCheckpointFile(
                                partition.resolve("leader-epoch-checkpoint").toFile(), failures)
                        .read())
                .containsExactly(new EpochEntry(1, 0), new EpochEntry(3, 2));
        assertThat(new PartitionMetadataFile(
                                partition.resolve("partition.metadata").toFile(), failures)
                        .read()
                        .topicId())
                .isEqualTo(new Uuid(LOG_ID.getMostSignificantBits(), LOG_ID.getLeastSignificantBits()));
        assertThat(new OffsetCheckpointFile(
                                directory.resolve("log-start-offset-checkpoint").toFile(), failures)
                        .read())
                .isEqualTo(Map.of(new TopicPartition("orders", 3), 1L));
        List<ProducerStateEntry> producers =
                ProducerStateManager.readSnapshot(files(".snapshot").getLast().toFile());
        assertThat(producers).hasSize(2);
        ProducerStateEntry first = producers.getFirst();
        assertThat(first.producerId()).isEqualTo(9);
        assertThat(first.producerEpoch()).isEqualTo((short) 2);
        assertThat(first.batchMetadata().iterator().next().lastSeq()).isEqualTo(42);
        assertThat(first.lastDataOffset()).isEqualTo(2);
        assertThat(producers.getLast().currentTxnFirstOffset()).hasValue(3);
    }

    @Test
    void shouldReadALogThatKafkaWrote() throws IOException {
        Path partition = Files.createDirectories(directory.resolve("orders-3"));
        PartitionMetadataFile metadata = new PartitionMetadataFile(
                partition.resolve("partition.metadata").toFile(), new LogDirFailureChannel(1));
        metadata.record(new Uuid(LOG_ID.getMostSignificantBits(), LOG_ID.getLeastSignificantBits()));
        metadata.maybeFlush();
        write(
                partition.resolve("00000000000000000000.log"),
                0,
                Compression.gzip().build(),
                "a",
                "b");
        write(
                partition.resolve("00000000000000000002.log"),
                2,
                Compression.zstd().build(),
                "c");
        write(partition.resolve("00000000000000000003.log"), 3, Compression.NONE, "d", "e");

        try (DiskLogStorage storage = open()) {
            assertThat(storage.storedLogs()).containsExactly(new StoredLog(PARTITION, LogRole.DATA, LOG_ID, partition));
            PartitionLog log =
                    storage.open(PARTITION, LogRole.DATA, LOG_ID, LogConfig.DEFAULT, Runnable::run, listener);

            assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b", "2=c", "3=d", "4=e");
            assertThat(log.epochEndOffset(7)).contains(new EpochEnd(7, 5));
            assertThat(log.offsetForTimestamp(1002))
                    .map(TimestampedOffset::offset)
                    .hasValue(2L);
            assertThat(log.append(Batches.of("f"), 8, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        }
    }

    private static void write(Path file, long baseOffset, Compression compression, String... values)
            throws IOException {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(1000 + baseOffset, values[i].getBytes(StandardCharsets.UTF_8));
        }
        try (FileRecords out = FileRecords.open(file.toFile())) {
            out.append(MemoryRecords.withRecords(baseOffset, compression, 7, records));
        }
    }
}
