package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A directory in which an exchange of segments was cut short at any step, and which somebody repairs before the broker starts again. */
class ExchangeRepairTest {
    private static final PartitionId PARTITION = new PartitionId("exchanged", 0);
    private static final UUID LOG_ID = new UUID(7, 9);
    private static final int RECORDS = 100;
    private static final long IDEMPOTENT = 5;
    private static final long TRANSACTIONAL = 6;

    /** For each step, what was not forced is left in so many ways. */
    private static final int CHANCES = 3;

    /** What takes records out. */
    enum Removal {
        COMPACTION,
        CONSUMED
    }

    @ParameterizedTest
    @EnumSource(Removal.class)
    void shouldHaveAllFromBeforeOrFromAfterTheExchangeWhateverStepItEndedAt(Removal removal) throws IOException {
        Scene undisturbed = new Scene(removal, 1);
        List<String> before = undisturbed.records();
        undisturbed.clean();
        List<String> after = undisturbed.records();
        assertThat(after).hasSizeLessThan(before.size() * 2 / 3);

        TreeSet<Integer> sizes = new TreeSet<>();
        int crashes = 0;
        boolean reached = true;
        for (int step = 1; reached; step++) {
            for (int chance = 0; chance < CHANCES; chance++) {
                Scene scene = new Scene(removal, 1 + chance);
                reached = scene.cleanUntilCrash(step);
                if (reached) {
                    crashes++;
                    String where = removal + ", step " + step + ", chance " + chance;
                    scene.repair(where, chance % 2 == 0);
                    scene.open();
                    List<String> found = scene.records();
                    assertBetween(found, before, after, where);
                    sizes.add(found.size());
                    scene.checkProducers(where);
                    scene.clean();
                    assertThat(scene.records()).as(where + ", cleaned again").isEqualTo(after);
                    assertThat(scene.halves()).as(where).isEmpty();
                }
            }
        }

        assertThat(crashes).isGreaterThan(100);
        assertThat(sizes).as("crashes before and after exchanges").hasSizeGreaterThan(1);
    }

    /** Several exchanges follow each other, so some may be done and others not; each is whole. */
    private static void assertBetween(List<String> found, List<String> before, List<String> after, String where) {
        assertThat(found).as(where).isSubsetOf(before).containsAll(after).doesNotHaveDuplicates();
        // Nothing comes again from behind what is still there: each exchange takes out all that its segments can lose.
        assertThat(found).as(where).isSortedAccordingTo((a, b) -> Long.compare(offset(a), offset(b)));
    }

    private static long offset(String record) {
        return Long.parseLong(record.substring(0, record.indexOf('=')));
    }

    /** A log of some segments, of which most can go. */
    private static final class Scene {
        private final Removal removal;
        private final SimulatedNode node;
        private final LogConfig config;
        private final Map<Long, Integer> lastSequences = new TreeMap<>();
        private PartitionLog log;
        private LogCleaner cleaner;

        Scene(Removal removal, long seed) throws IOException {
            this.removal = removal;
            this.node = new SimulatedNode(seed);
            this.config = LogConfig.builder()
                    .segmentBytes(1_200)
                    .indexIntervalBytes(100)
                    .cleanup(new CleanupConfig(
                            false, removal == Removal.COMPACTION, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0.5))
                    .build();
            DiskLogStorage storage = node.open(30, 0);
            log = storage.create(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, node.listener(offset -> {}));
            cleaner = begin(storage);
            fill();
        }

        private LogCleaner begin(DiskLogStorage storage) {
            if (removal == Removal.CONSUMED) {
                log.removeConsumed(new AllButAFew());
            }
            return storage.cleaner(CleanerConfig.DEFAULT, node.time);
        }

        private void fill() {
            for (int batch = 0; log.logEndOffset() < RECORDS; batch++) {
                long offset = log.logEndOffset();
                boolean transactional = batch % 3 == 0;
                long producer = transactional ? TRANSACTIONAL : IDEMPOTENT;
                RecordBatchBuilder builder = Batches.builder()
                        .producer(producer, (short) 0, lastSequences.getOrDefault(producer, -1) + 1)
                        .transactional(transactional);
                for (int i = 0; i < 3; i++) {
                    builder.tryAppend(
                            node.time.wallClockMs(), bytes("key" + (offset + i) % 5), bytes("v" + (offset + i)));
                }
                lastSequences.merge(producer, 2, (known, first) -> known + 3);
                log.append(builder.build(), 0, AppendOrigin.CLIENT);
                if (transactional) {
                    EndTransactionMarker end =
                            batch % 6 == 0 ? EndTransactionMarker.abort(0) : EndTransactionMarker.commit(0);
                    log.append(Batches.marker(producer, 0, end), 0, AppendOrigin.COORDINATOR);
                }
                log.requestSync();
                node.storage().runSyncRounds();
            }
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        void clean() {
            while (cleaner.cleanDirtiest()) {
                node.storage().runSyncRounds();
            }
        }

        /** Answers whether there was such a step. */
        boolean cleanUntilCrash(int step) {
            node.disk.crashAfterOperations(step);
            clean();
            boolean down = node.disk.isDown();
            node.disk.cancelPlannedCrash();
            if (down) {
                node.disk.restart();
                node.crashed(true);
            }
            return down;
        }

        /** As often as it takes, if the power fails during that too. */
        void repair(String where, boolean disturbed) {
            for (int step = 1; disturbed; step += 3) {
                node.disk.crashAfterOperations(step);
                try {
                    LogVerifier.repair(node.directory, false, List.of());
                } catch (DataDirectoryException _) {
                    assertThat(node.disk.isDown()).as(where).isTrue();
                }
                disturbed = node.disk.isDown();
                node.disk.cancelPlannedCrash();
                if (disturbed) {
                    node.disk.restart();
                }
            }
            RepairReport report = LogVerifier.repair(node.directory, false, List.of());
            assertThat(report.refused()).as(where).isEmpty();
            assertThat(report.after().findings()).as(where).isEmpty();
        }

        void open() throws IOException {
            DiskLogStorage storage = node.open(30, 0);
            log = storage.open(PARTITION, LogRole.DATA, LOG_ID, config, Runnable::run, node.listener(offset -> {}));
            cleaner = begin(storage);
            node.storage().runSyncRounds();
        }

        List<String> records() {
            return Batches.readAll(log).stream()
                    .filter(record -> !record.equals("marker"))
                    .toList();
        }

        void checkProducers(String where) {
            assertThat(log.activeProducers())
                    .as(where)
                    .allSatisfy(producer ->
                            assertThat(producer.lastSequence()).isEqualTo(lastSequences.get(producer.producerId())))
                    .hasSize(2);
        }

        List<Path> halves() throws IOException {
            try (Stream<Path> files = Files.list(node.directory.resolve("exchanged-0"))) {
                return files.filter(file -> file.toString().endsWith(".cleaned")
                                || file.toString().endsWith(".swap"))
                        .toList();
            }
        }
    }

    /** All but every seventh was consumed for good. */
    private static final class AllButAFew implements ConsumedRecords {
        private static boolean isConsumed(long offset) {
            return offset % 7 != 0;
        }

        @Override
        public long countIn(long firstOffset, long endOffset) {
            return Stream.iterate(firstOffset, offset -> offset < endOffset, offset -> offset + 1)
                    .filter(AllButAFew::isConsumed)
                    .count();
        }

        @Override
        public CompletionStage<Found> find(long firstOffset, long endOffset) {
            return CompletableFuture.completedFuture(new Found() {
                @Override
                public boolean contains(long offset) {
                    return isConsumed(offset);
                }

                @Override
                public boolean stillHolds() {
                    return true;
                }
            });
        }
    }
}
