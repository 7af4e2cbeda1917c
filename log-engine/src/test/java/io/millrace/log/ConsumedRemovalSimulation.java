package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.record.Compression;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log whose records are consumed here and there, on a disk whose power fails at any step, beside a model of what was written and what was
 * consumed for good. After every step, what can be read is what was written, and only what was consumed for good is missing.
 */
final class ConsumedRemovalSimulation {
    private static final PartitionId PARTITION = new PartitionId("queue", 0);
    private static final UUID LOG_ID = new UUID(7, 8);
    private static final int PRODUCERS = 3;

    private final String seed;
    private final SimulatedNode node;
    private final Random random;
    private final LogConfig config;
    private final Model model = new Model();

    /** Values by offset; an empty one is the end of a transaction. */
    private final TreeMap<Long, String> written = new TreeMap<>();

    private final Map<Long, Integer> nextSequence = new HashMap<>();
    private final TreeSet<Long> removed = new TreeSet<>();
    /** What is undecided, by producer: nobody has consumed that. */
    private final Map<Long, TreeSet<Long>> open = new HashMap<>();

    private PartitionLog log;
    private LogCleaner cleaner;
    private boolean mayRewind;
    int crashes;
    int rewinds;

    ConsumedRemovalSimulation(long seed) throws IOException {
        this.seed = "seed " + seed;
        this.node = new SimulatedNode(seed);
        this.random = node.random;
        this.config = LogConfig.builder()
                .segmentBytes(600 + random.nextInt(2_500))
                .indexIntervalBytes(random.nextInt(300))
                .build();
        DiskLogStorage storage = node.open(30, random.nextBoolean() ? 1 << 16 : 0);
        log = storage.create(PARTITION, LogRole.DATA, LOG_ID, config, this::onShard, node.listener(offset -> {}));
        begin(storage);
    }

    int removed() {
        return removed.size();
    }

    /** What consumers do: the latest of it is lost in a crash, until the cleaner has waited for it. */
    private static final class Model implements ConsumedRecords {
        private TreeSet<Long> consumed = new TreeSet<>();
        private TreeSet<Long> durable = new TreeSet<>();
        private int generation;

        @Override
        public long countIn(long firstOffset, long endOffset) {
            return consumed.subSet(firstOffset, endOffset).size();
        }

        @Override
        public CompletionStage<Found> find(long firstOffset, long endOffset) {
            TreeSet<Long> found = new TreeSet<>(consumed.subSet(firstOffset, endOffset));
            int seen = generation;
            durable = new TreeSet<>(consumed);
            return CompletableFuture.completedFuture(new Found() {
                @Override
                public boolean contains(long offset) {
                    return found.contains(offset);
                }

                @Override
                public boolean stillHolds() {
                    return generation == seen;
                }
            });
        }

        void consume(long offset) {
            consumed.add(offset);
        }

        /** Somebody wants to read all that is left from an offset on, once more, and is told so. */
        void rewind(long offset) {
            consumed.tailSet(offset).clear();
            durable = new TreeSet<>(consumed);
            generation++;
        }

        void crash() {
            consumed = new TreeSet<>(durable);
        }
    }

    private void begin(DiskLogStorage storage) {
        log.removeConsumed(model);
        cleaner = storage.cleaner(CleanerConfig.DEFAULT, node.time);
    }

    /** Between what the cleaner asks the shard to do, others do something. */
    private void onShard(Runnable task) {
        if (mayRewind && random.nextInt(30) == 0 && !written.isEmpty() && !node.disk.isDown()) {
            // What is gone by now is not wanted by anybody who comes now.
            forgetRemoved();
            model.rewind(written.firstKey() + random.nextInt(written.size()));
            rewinds++;
        }
        task.run();
    }

    void run(int steps) throws IOException {
        mayRewind = true;
        for (int step = 0; step < steps; step++) {
            node.time.advanceMs(random.nextInt(40));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> append();
                case 3 -> transaction();
                case 4, 5 -> consume();
                case 6 -> clean();
                case 7 -> crashWhileCleaning();
                case 8 -> removeFromStart();
                default -> restart();
            }
            check();
        }
        mayRewind = false;
        if (random.nextBoolean()) {
            append();
        }
        List.copyOf(open.keySet()).forEach(this::end);
        sync();
        // What the commit journal has is forced a while later, and rewritten only then.
        for (int round = 0; round < 5; round++) {
            node.time.advanceMs(2_000);
            node.storage().runSyncRounds();
        }
        clean();
        checkNothingIsDue();
    }

    private void append() {
        int count = 1 + random.nextInt(8);
        RecordBatchBuilder builder = Batches.builder().compression(codec());
        if (random.nextInt(3) == 0) {
            long id = 100L + random.nextInt(PRODUCERS);
            builder.producer(id, (short) 0, nextSequence.merge(id, count, Integer::sum) - count);
        }
        put(builder, count);
        sync();
    }

    private void transaction() {
        int count = 1 + random.nextInt(4);
        long id = 200L + random.nextInt(PRODUCERS);
        RecordBatchBuilder builder = Batches.builder().compression(codec());
        builder.producer(id, (short) 0, nextSequence.merge(id, count, Integer::sum) - count)
                .transactional(true);
        TreeSet<Long> undecided = open.computeIfAbsent(id, none -> new TreeSet<>());
        for (long offset = log.logEndOffset(); offset < log.logEndOffset() + count; offset++) {
            undecided.add(offset);
        }
        put(builder, count);
        if (random.nextInt(3) > 0) {
            end(id);
        }
        sync();
    }

    private void end(long id) {
        open.remove(id);
        long nowMs = node.time.wallClockMs();
        EndTransactionMarker end =
                random.nextBoolean() ? EndTransactionMarker.commit(0) : EndTransactionMarker.abort(0);
        written.put(log.logEndOffset(), "");
        RecordBatchBuilder marker =
                Batches.builder().producer(id, (short) 0, -1).appendEndTransaction(nowMs, end);
        log.append(marker.build(), 0, AppendOrigin.COORDINATOR);
    }

    private boolean isUndecided(long offset) {
        return open.values().stream().anyMatch(undecided -> undecided.contains(offset));
    }

    private Compression codec() {
        return random.nextInt(4) == 0 ? Compression.LZ4 : Compression.NONE;
    }

    private void put(RecordBatchBuilder builder, int count) {
        long offset = log.logEndOffset();
        for (int i = 0; i < count; i++) {
            String value = "value-" + (offset + i) + "-" + "x".repeat(random.nextInt(60));
            builder.tryAppend(node.time.wallClockMs(), null, value.getBytes(StandardCharsets.UTF_8));
            written.put(offset + i, value);
        }
        assertThat(log.append(builder.build(), 0, AppendOrigin.CLIENT)).isInstanceOf(AppendResult.Appended.class);
    }

    private void sync() {
        log.requestSync();
        node.storage().runSyncRounds();
        assertThat(log.syncedOffset()).isEqualTo(log.logEndOffset());
    }

    /** Some here and there, or all but a few of a stretch. */
    private void consume() {
        if (written.isEmpty()) {
            return;
        }
        long from = written.firstKey() + random.nextInt(written.size());
        long end = Math.min(written.lastKey() + 1, from + random.nextInt(60));
        int oneIn = 2 + random.nextInt(12);
        boolean most = random.nextInt(3) > 0;
        for (long offset = from; offset < end; offset++) {
            if ((random.nextInt(oneIn) > 0) == most && !isUndecided(offset)) {
                model.consume(offset);
            }
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
        model.crash();
        maybeRepair();
        reopen();
    }

    /** Somebody repairs before the start: nothing may be lost by that, nor come back. */
    private void maybeRepair() {
        if (random.nextInt(3) == 0) {
            RepairReport report = LogVerifier.repair(node.directory, false, List.of());
            assertThat(report.after().findings())
                    .as(seed + ", after a repair that refused " + report.refused())
                    .noneMatch(finding -> finding.severity() == VerifyReport.Severity.DAMAGE
                            || (report.refused().isEmpty()
                                    && finding.severity() == VerifyReport.Severity.NEEDS_REPAIR));
        }
    }

    /** As a broker does with what is consumed from the beginning on. */
    private void removeFromStart() {
        long start = log.logStartOffset();
        for (SegmentInfo segment : log.segments()) {
            boolean whole = segment.nextOffset() > segment.baseOffset()
                    && model.durable
                                    .subSet(segment.baseOffset(), segment.nextOffset())
                                    .size()
                            == segment.nextOffset() - segment.baseOffset();
            if (!whole || segment.nextOffset() == log.logEndOffset()) {
                break;
            }
            start = segment.nextOffset();
        }
        log.advanceLogStart(start);
        sync();
        written.headMap(start).clear();
    }

    private void restart() throws IOException {
        node.storage().close();
        checkVerifies("after an orderly close", true);
        reopen();
    }

    private void reopen() throws IOException {
        node.startUntilUp(() -> {
            if (random.nextInt(6) == 0) {
                node.disk.crashAfterOperations(1 + random.nextInt(15));
            }
            DiskLogStorage storage = node.open(30, random.nextBoolean() ? 1 << 16 : 0);
            log = storage.open(PARTITION, LogRole.DATA, LOG_ID, config, this::onShard, node.listener(offset -> {}));
            begin(storage);
        });
    }

    private void checkVerifies(String when, boolean inOrder) {
        VerifyReport report = LogVerifier.verify(node.directory);
        assertThat(report.findings())
                .as(seed + ", " + when)
                .noneMatch(finding -> finding.severity() == VerifyReport.Severity.DAMAGE
                        || (inOrder && finding.severity() == VerifyReport.Severity.NEEDS_REPAIR));
    }

    private void check() {
        assertThat(log.logEndOffset())
                .as(seed)
                .isEqualTo(written.isEmpty() ? log.logStartOffset() : written.lastKey() + 1);
        NavigableMap<Long, String> found = readAll();
        found.forEach((offset, value) ->
                assertThat(value).as(seed + ", offset " + offset).isEqualTo(written.get(offset)));
        written.tailMap(log.logStartOffset()).keySet().forEach(offset -> {
            if (!found.containsKey(offset)) {
                assertThat(model.durable.contains(offset) || removed.contains(offset))
                        .as(seed + ": offset " + offset + " is missing, and was not consumed for good")
                        .isTrue();
            }
        });
        noteRemoved(found);
        for (ActiveProducer producer : log.activeProducers()) {
            assertThat(producer.lastSequence())
                    .as(seed + ", producer " + producer.producerId())
                    .isEqualTo(nextSequence.getOrDefault(producer.producerId(), 0) - 1);
        }
        assertThat(log.activeProducers()).as(seed).hasSize(nextSequence.size());
        assertThat(log.lastStableOffset())
                .as(seed)
                .isEqualTo(
                        open.values().stream().mapToLong(TreeSet::first).min().orElse(log.logEndOffset()));
    }

    private void forgetRemoved() {
        noteRemoved(readAll());
    }

    private void noteRemoved(Map<Long, String> found) {
        for (long offset : model.durable) {
            if (offset >= log.logStartOffset() && !found.containsKey(offset)) {
                removed.add(offset);
            }
        }
    }

    private NavigableMap<Long, String> readAll() {
        TreeMap<Long, String> found = new TreeMap<>();
        long expected = log.logStartOffset();
        long end = log.logEndOffset();
        while (expected < end) {
            RecordBatches batches =
                    RecordBatches.over(log.read(expected, 5_000, Long.MAX_VALUE).batches());
            while (batches.next()) {
                RecordBatch batch = batches.current();
                assertThat(batch.baseOffset()).as(seed).isLessThanOrEqualTo(expected);
                expected = batch.nextOffset();
                try (RecordCursor cursor = batch.records()) {
                    while (cursor.next()) {
                        found.put(
                                cursor.offset(),
                                batch.isControl()
                                        ? ""
                                        : StandardCharsets.UTF_8
                                                .decode(cursor.value())
                                                .toString());
                    }
                }
            }
        }
        found.headMap(log.logStartOffset()).clear();
        return found;
    }

    /** Whatever is sealed is either whole, apart from less than half, or goes as a whole. */
    private void checkNothingIsDue() {
        NavigableMap<Long, String> found = readAll();
        boolean fromStart = true;
        for (SegmentInfo segment : log.segments()) {
            long base = Math.max(segment.baseOffset(), log.logStartOffset());
            Map<Long, String> records = found.subMap(base, segment.nextOffset());
            long consumed = records.entrySet().stream()
                    .filter(entry -> !entry.getValue().isEmpty() && model.consumed.contains(entry.getKey()))
                    .count();
            fromStart &= model.countIn(segment.baseOffset(), segment.nextOffset())
                    == segment.nextOffset() - segment.baseOffset();
            // Of one rewritten before the last start the cleaner knows no number of records; offsets must do, and some
            // of those that are
            // gone count as consumed no more after a rewind.
            boolean miscounted = removed.subSet(segment.baseOffset(), segment.nextOffset()).stream()
                    .anyMatch(offset -> !model.consumed.contains(offset));
            if (!segment.active() && !fromStart && consumed > 0 && !miscounted) {
                assertThat(consumed)
                        .as(seed + ": consumed records left in " + segment + " of " + records.size())
                        .isLessThanOrEqualTo((records.size() + 1) / 2);
            }
        }
    }
}
