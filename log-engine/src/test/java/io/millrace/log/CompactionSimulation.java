package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.record.Compression;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A compacted log on a disk whose power fails at any step, beside a model of it: what was written, record by record. After every step, what can
 * be read is what was written there, and nothing is missing that compaction has to leave.
 */
final class CompactionSimulation {
    private static final PartitionId PARTITION = new PartitionId("keyed", 0);
    private static final UUID LOG_ID = new UUID(7, 7);
    private static final long LAG_MS = 50;
    private static final long DELETE_RETENTION_MS = 400;
    private static final int PRODUCERS = 3;

    private final long seed;
    private final SimulatedNode node;
    private final Random random;
    private final LogConfig config;

    /** Everything that was written and synced, by offset. */
    private final TreeMap<Long, Written> written = new TreeMap<>();

    private final Map<Long, Integer> nextSequence = new HashMap<>();
    private final Map<Long, List<Long>> open = new HashMap<>();
    private PartitionLog log;
    private LogCleaner cleaner;
    int crashes;
    int removed;

    /** A record: of a key, a transaction's end if that is {@code null}. */
    private record Written(@Nullable String key, @Nullable String value, long timestampMs, Outcome outcome) {
        Written as(Outcome other) {
            return new Written(key, value, timestampMs, other);
        }
    }

    private enum Outcome {
        COMMITTED,
        OPEN,
        ABORTED
    }

    CompactionSimulation(long seed) throws IOException {
        this.seed = seed;
        this.node = new SimulatedNode(seed);
        this.random = node.random;
        this.config = LogConfig.builder()
                .segmentBytes(600 + random.nextInt(1_500))
                .indexIntervalBytes(random.nextInt(300))
                .cleanup(new CleanupConfig(false, true, LAG_MS, Long.MAX_VALUE, DELETE_RETENTION_MS, 0, 0.5))
                .build();
        DiskLogStorage storage = node.open(30, random.nextBoolean() ? 1 << 16 : 0);
        log = storage.create(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, node.listener(offset -> {}));
        cleaner = cleaner(storage);
    }

    private LogCleaner cleaner(DiskLogStorage storage) {
        // Room for few keys, so that some passes end early.
        return storage.cleaner(
                new CleanerConfig(true, 1, Double.MAX_VALUE, random.nextInt(4) == 0 ? 1_024 : 1 << 16, 1), node.time);
    }

    void run(int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            node.time.advanceMs(random.nextInt(40));
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> append();
                case 4 -> transaction();
                case 5 -> endTransaction();
                case 6 -> clean();
                case 7 -> crashWhileCleaning();
                case 8 -> node.time.advanceMs(random.nextInt(200));
                default -> restart();
            }
            check();
        }
    }

    private void append() {
        int count = 1 + random.nextInt(6);
        RecordBatchBuilder builder = Batches.builder().compression(codec());
        if (random.nextInt(3) == 0) {
            long id = 100L + random.nextInt(PRODUCERS);
            builder.producer(id, (short) 0, nextSequence.merge(id, count, Integer::sum) - count);
        }
        put(builder, count, Outcome.COMMITTED);
    }

    private Compression codec() {
        return switch (random.nextInt(4)) {
            case 0 -> Compression.GZIP;
            case 1 -> Compression.LZ4;
            default -> Compression.NONE;
        };
    }

    private void transaction() {
        int count = 1 + random.nextInt(4);
        long id = 200L + random.nextInt(PRODUCERS);
        RecordBatchBuilder builder = Batches.builder().compression(codec());
        builder.producer(id, (short) 0, nextSequence.merge(id, count, Integer::sum) - count)
                .transactional(true);
        long first = log.logEndOffset();
        put(builder, count, Outcome.OPEN);
        for (int i = 0; i < count; i++) {
            open.computeIfAbsent(id, any -> new ArrayList<>()).add(first + i);
        }
    }

    private void endTransaction() {
        List<Long> ids = open.keySet().stream().sorted().toList();
        if (ids.isEmpty()) {
            return;
        }
        long id = ids.get(random.nextInt(ids.size()));
        boolean commits = random.nextBoolean();
        long nowMs = node.time.wallClockMs();
        written.put(log.logEndOffset(), new Written(null, null, nowMs, Outcome.COMMITTED));
        RecordBatchBuilder marker = Batches.builder()
                .producer(id, (short) 0, -1)
                .appendEndTransaction(nowMs, commits ? EndTransactionMarker.commit(0) : EndTransactionMarker.abort(0));
        log.append(marker.build(), 0, AppendOrigin.COORDINATOR);
        for (long offset : Objects.requireNonNull(open.remove(id))) {
            written.compute(
                    offset,
                    (at, record) -> record == null ? null : record.as(commits ? Outcome.COMMITTED : Outcome.ABORTED));
        }
        sync();
    }

    private void put(RecordBatchBuilder builder, int count, Outcome outcome) {
        long nowMs = node.time.wallClockMs();
        long offset = log.logEndOffset();
        for (int i = 0; i < count; i++) {
            String key = "key-" + random.nextInt(12);
            String value =
                    random.nextInt(5) == 0 ? null : "value-" + (offset + i) + "-" + "x".repeat(random.nextInt(60));
            builder.tryAppend(nowMs, bytes(key), value == null ? null : bytes(value));
            written.put(offset + i, new Written(key, value, nowMs, outcome));
        }
        assertThat(log.append(builder.build(), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
        sync();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void sync() {
        log.requestSync();
        node.storage().runSyncRounds();
        assertThat(log.syncedOffset()).isEqualTo(log.logEndOffset());
        if (random.nextInt(3) == 0) {
            node.storage().runSyncRounds();
        }
    }

    private void clean() {
        while (cleaner.cleanDirtiest()) {
            node.storage().runSyncRounds();
        }
    }

    private void crashWhileCleaning() throws IOException {
        node.disk.crashAfterOperations(1 + random.nextInt(40));
        boolean killedOnly = random.nextBoolean();
        clean();
        if (!node.disk.isDown()) {
            node.disk.cancelPlannedCrash();
            if (random.nextBoolean()) {
                return;
            }
            if (killedOnly) {
                node.disk.kill();
            } else {
                node.disk.crash();
            }
        }
        crashes++;
        node.disk.restart();
        checkVerifies("after a crash", false);
        node.crashed(true);
        reopen();
    }

    private void restart() throws IOException {
        node.storage().close();
        checkVerifies("after an orderly close", true);
        reopen();
    }

    private void reopen() throws IOException {
        if (random.nextInt(4) == 0) {
            loseSnapshots();
        }
        node.startUntilUp(() -> {
            if (random.nextInt(6) == 0) {
                node.disk.crashAfterOperations(1 + random.nextInt(15));
            }
            DiskLogStorage storage = node.open(30, random.nextBoolean() ? 1 << 16 : 0);
            log = storage.open(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, node.listener(offset -> {}));
            cleaner = cleaner(storage);
        });
    }

    /** Until the next start, what the journal has is missing in indexes. */
    private void checkVerifies(String when, boolean inOrder) {
        VerifyReport report = LogVerifier.verify(node.directory);
        assertThat(report.findings())
                .as("seed " + seed + ", " + when)
                .noneMatch(finding -> finding.severity() == VerifyReport.Severity.DAMAGE
                        || (inOrder && finding.severity() == VerifyReport.Severity.NEEDS_REPAIR));
    }

    /** Then only the batches themselves tell what their producers did. */
    private void loseSnapshots() throws IOException {
        try (Stream<Path> files = Files.list(node.directory.resolve("keyed-0"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".snapshot")).toList()) {
                Files.delete(file);
            }
        }
    }

    private void check() throws IOException {
        String where = "seed " + seed + ", end " + log.logEndOffset();
        long end = written.isEmpty() ? 0 : written.lastKey() + 1;
        assertThat(log.logEndOffset()).as(where).isEqualTo(end);
        Map<Long, Written> found = new TreeMap<>();
        long expected = 0;
        while (expected < end) {
            LogSlice slice = log.read(expected, 5_000, Long.MAX_VALUE);
            RecordBatches batches = RecordBatches.over(slice.batches());
            while (batches.next()) {
                RecordBatch batch = batches.current();
                assertThat(batch.baseOffset()).as(where).isEqualTo(expected);
                expected = batch.nextOffset();
                addRecords(batch, found, where);
            }
        }
        checkWhatIsMissing(found, where);
        List<AbortedTransaction> aborted = log.abortedTransactions(0, end);
        found.forEach((offset, record) -> assertThat(aborted.stream()
                                .anyMatch(transaction ->
                                        transaction.firstOffset() <= offset && offset < transaction.lastOffset())
                        || record.outcome() != Outcome.ABORTED)
                .as(where + ": aborted " + offset)
                .isTrue());
        checkSlices(end, found, where);
        long stable = open.values().stream()
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .min()
                .orElse(end);
        assertThat(log.lastStableOffset()).as(where).isEqualTo(stable);
        checkSequences(where);
        try (Stream<Path> files = Files.list(node.directory.resolve("keyed-0"))) {
            assertThat(files.map(Path::toString))
                    .as(where)
                    .noneMatch(name -> name.endsWith(".cleaned") || name.endsWith(".swap"));
        }
    }

    /** What goes straight from the files holds every record, and an answer without any only where none is left. */
    private void checkSlices(long end, Map<Long, Written> found, String where) {
        long offset = 0;
        List<Long> sent = new ArrayList<>();
        while (offset < end) {
            try (FileSlice slice = log.slice(offset, 700, end).orElseThrow()) {
                RecordBatches batches = RecordBatches.over(Batches.content(slice, slice.lengthBytes()));
                int before = sent.size();
                while (batches.next()) {
                    try (RecordCursor cursor = batches.current().records()) {
                        while (cursor.next()) {
                            sent.add(cursor.offset());
                        }
                    }
                }
                boolean nothing = sent.size() == before;
                assertThat(nothing && found.keySet().stream().anyMatch(later -> later >= slice.firstOffset()))
                        .as(where + ": an answer of nothing at " + offset)
                        .isFalse();
                offset = slice.nextOffset();
            }
        }
        assertThat(sent).as(where).isEqualTo(List.copyOf(found.keySet()));
    }

    private void addRecords(RecordBatch batch, Map<Long, Written> found, String where) {
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                Written before = written.get(cursor.offset());
                assertThat(before).as(where).isNotNull();
                if (batch.isControl()) {
                    assertThat(before.key()).as(where).isNull();
                } else {
                    assertThat(text(cursor.key())).as(where).isEqualTo(before.key());
                    assertThat(text(cursor.value())).as(where).isEqualTo(before.value());
                }
                assertThat(cursor.timestampMs()).as(where).isEqualTo(before.timestampMs());
                found.put(cursor.offset(), before);
            }
        }
    }

    private static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** What is gone was replaced by a later one of its key, aborted, or said for long enough that its key is gone. */
    private void checkWhatIsMissing(Map<Long, Written> found, String where) {
        Map<String, Long> last = new HashMap<>();
        written.forEach((offset, record) -> {
            if (record.key() != null && record.outcome() == Outcome.COMMITTED) {
                last.put(record.key(), offset);
            }
        });
        long nowMs = node.time.wallClockMs();
        removed = Math.max(removed, written.size() - found.size());
        written.forEach((offset, record) -> {
            if (!found.containsKey(offset)) {
                boolean tooYoung = nowMs - record.timestampMs() < LAG_MS;
                boolean replaced = record.key() != null && last.getOrDefault(record.key(), -1L) > offset;
                boolean over = record.value() == null && nowMs - record.timestampMs() >= DELETE_RETENTION_MS;
                boolean aborted = record.outcome() == Outcome.ABORTED;
                assertThat(!tooYoung && record.outcome() != Outcome.OPEN && (replaced || over || aborted))
                        .as(where + ": missing offset " + offset + " " + record)
                        .isTrue();
            }
        });
    }

    /** A producer goes on where it was, however much of its batches is gone. */
    private void checkSequences(String where) {
        for (ActiveProducer producer : log.activeProducers()) {
            assertThat(producer.lastSequence())
                    .as(where + ", producer " + producer.producerId())
                    .isEqualTo(nextSequence.getOrDefault(producer.producerId(), 0) - 1);
        }
        assertThat(log.activeProducers()).as(where).hasSize(nextSequence.size());
    }
}
