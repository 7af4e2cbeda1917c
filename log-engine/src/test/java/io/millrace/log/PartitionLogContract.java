package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.AppendResult.Appended;
import io.millrace.log.AppendResult.Duplicate;
import io.millrace.log.AppendResult.OutOfOrderSequence;
import io.millrace.log.AppendResult.ProducerFenced;
import io.millrace.log.AppendResult.StaleLeaderEpoch;
import io.millrace.log.AppendResult.UnexpectedOffset;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.CorruptBatchException;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.InvalidBatchException;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordFormatException;
import io.millrace.wire.record.RecordRefusedException;
import io.millrace.wire.record.RecordRefusedException.Reason;
import io.millrace.wire.record.TimestampType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link PartitionLog} does, wherever it keeps its records. */
abstract class PartitionLogContract {
    protected static final PartitionId PARTITION = new PartitionId("orders", 0);

    protected final FakeTimeSource time = new FakeTimeSource();
    protected final SteppedExecutor shard = new SteppedExecutor();
    protected final RecordingSyncListener listener = new RecordingSyncListener();

    /** A new, empty log. */
    protected abstract PartitionLog create(LogConfig config);

    /** Lets everything happen that other threads would do. */
    protected abstract void runSyncer();

    private PartitionLog create() {
        return create(LogConfig.DEFAULT);
    }

    private static Appended appended(AppendResult result) {
        assertThat(result).isInstanceOf(Appended.class);
        return (Appended) result;
    }

    @Test
    void shouldAssignContiguousOffsetsAndTheLeaderEpoch() {
        PartitionLog log = create();

        assertThat(log.append(Batches.of("a", "b"), 3, AppendOrigin.CLIENT))
                .isEqualTo(new Appended(0, 1, Batches.of("a", "b").remaining(), -1));
        assertThat(appended(log.append(Batches.of("c"), 3, AppendOrigin.CLIENT)).firstOffset())
                .isEqualTo(2);

        assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b", "2=c");
        assertThat(log.offsets().logEndOffset()).isEqualTo(3);
        assertThat(log.latestEpoch()).isEqualTo(3);
        ByteBuffer stored = log.read(2, 1000, 3).batches();
        assertThat(RecordBatch.at(stored, stored.position()).partitionLeaderEpoch())
                .isEqualTo(3);
    }

    @Test
    void shouldKeepTheBytesThatTheProducerBuilt() {
        PartitionLog log = create();
        ByteBuffer sent = Batches.of("a", "b");
        ByteBuffer expected =
                ByteBuffer.allocate(sent.remaining()).put(sent.duplicate()).flip();
        RecordBatch.setPartitionLeaderEpoch(expected, 0, 7);

        log.append(sent, 7, AppendOrigin.CLIENT);

        assertThat(log.read(0, 1000, 10).batches()).isEqualTo(expected);
    }

    @Test
    void shouldReadWholeBatchesWithinTheLimits() {
        PartitionLog log = create();
        for (String value : List.of("a", "b", "c")) {
            log.append(Batches.of(value, value), 0, AppendOrigin.CLIENT);
        }
        int batchBytes = Batches.of("a", "a").remaining();

        LogSlice fromTheMiddle = log.read(3, 2 * batchBytes, Long.MAX_VALUE);
        assertThat(fromTheMiddle.firstOffset()).isEqualTo(2);
        assertThat(fromTheMiddle.nextOffset()).isEqualTo(6);
        assertThat(Batches.records(fromTheMiddle.batches())).containsExactly("2=b", "3=b", "4=c", "5=c");
        assertThat(log.read(0, 2 * batchBytes - 1, Long.MAX_VALUE).nextOffset()).isEqualTo(2);
        assertThat(log.read(0, 1, Long.MAX_VALUE).nextOffset()).isEqualTo(2);
        assertThat(log.read(0, 1000, 5).nextOffset()).isEqualTo(4);
        assertThat(log.read(4, 1000, 5).isEmpty()).isTrue();
        assertThat(log.read(4, 1000, 2).isEmpty()).isTrue();
        assertThat(log.read(6, 1000, Long.MAX_VALUE).isEmpty()).isTrue();
        assertThat(log.read(6, 1000, Long.MAX_VALUE).nextOffset()).isEqualTo(6);
    }

    @Test
    void shouldRefuseReadsOutsideItsOffsets() {
        PartitionLog log = create();
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);

        assertThatThrownBy(() -> log.read(2, 1000, 10))
                .isInstanceOf(OffsetOutOfRangeException.class)
                .hasMessage("offset 2 is not in orders-0, which has offsets 0 to 1");
        assertThatThrownBy(() -> log.read(-1, 1000, 10)).isInstanceOf(OffsetOutOfRangeException.class);
    }

    @Test
    void shouldFindTheFirstRecordOfATime() {
        PartitionLog log = create();
        log.append(Batches.at(100, "a", "b", "c"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(50, "late"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(200, "d", "e"), 1, AppendOrigin.CLIENT);

        assertThat(log.offsetForTimestamp(0)).contains(new TimestampedOffset(0, 100, 0));
        assertThat(log.offsetForTimestamp(101)).contains(new TimestampedOffset(1, 101, 0));
        assertThat(log.offsetForTimestamp(103)).contains(new TimestampedOffset(4, 200, 1));
        assertThat(log.offsetForTimestamp(201)).contains(new TimestampedOffset(5, 201, 1));
        assertThat(log.offsetForTimestamp(202)).isEmpty();
    }

    @Test
    void shouldFindTheFirstRecordOfTheLargestTime() {
        PartitionLog log = create(LogConfig.builder().segmentBytes(200).build());
        assertThat(log.offsetOfMaxTimestamp()).isEmpty();
        log.append(Batches.at(100, "a", "b", "c"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(500, "latest", "of all"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(501, "as late"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(300, "d", "e", "f"), 2, AppendOrigin.CLIENT);

        assertThat(log.offsetOfMaxTimestamp()).contains(new TimestampedOffset(4, 501, 0));
        log.advanceLogStart(5);
        assertThat(log.offsetOfMaxTimestamp()).contains(new TimestampedOffset(5, 501, 0));
        log.advanceLogStart(7);
        assertThat(log.offsetOfMaxTimestamp()).contains(new TimestampedOffset(8, 302, 2));
        log.advanceLogStart(9);
        assertThat(log.offsetOfMaxTimestamp()).isEmpty();
    }

    @Test
    void shouldHoldTheLastStableOffsetAtTheOldestOpenTransaction() {
        PartitionLog log = create(LogConfig.builder().segmentBytes(200).build());
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        assertThat(log.lastStableOffset()).isEqualTo(1);

        log.append(Batches.inTransaction(1, 0, 0, "b"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(2, 0, 0, "c"), 0, AppendOrigin.CLIENT);
        log.append(Batches.of("d"), 0, AppendOrigin.CLIENT);
        assertThat(log.lastStableOffset()).isEqualTo(1);
        log.append(Batches.marker(2, 0, EndTransactionMarker.commit(0)), 0, AppendOrigin.COORDINATOR);
        assertThat(log.lastStableOffset()).isEqualTo(1);
        log.append(Batches.marker(1, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.COORDINATOR);
        assertThat(log.lastStableOffset()).isEqualTo(6);
        log.append(Batches.of("e"), 0, AppendOrigin.CLIENT);
        assertThat(log.offsets().lastStableOffset()).isEqualTo(7);

        log.truncateTo(5);
        assertThat(log.lastStableOffset()).as("the marker was cut off").isEqualTo(1);
        log.advanceLogStart(3);
        assertThat(log.lastStableOffset()).isEqualTo(3);
    }

    @Test
    void shouldTellWhatWasAbortedWithinARange() {
        PartitionLog log = create(LogConfig.builder().segmentBytes(200).build());
        log.append(Batches.inTransaction(1, 0, 0, "a"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(2, 0, 0, "b"), 0, AppendOrigin.CLIENT);
        log.append(Batches.marker(2, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.COORDINATOR);
        log.append(Batches.inTransaction(3, 0, 0, "c"), 0, AppendOrigin.CLIENT);
        log.append(Batches.marker(3, 0, EndTransactionMarker.commit(0)), 0, AppendOrigin.COORDINATOR);
        log.append(Batches.marker(1, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.COORDINATOR);
        log.append(Batches.of("d"), 0, AppendOrigin.CLIENT);

        AbortedTransaction second = new AbortedTransaction(2, 1, 2, 0);
        AbortedTransaction first = new AbortedTransaction(1, 0, 5, 6);
        assertThat(log.abortedTransactions(0, 7)).containsExactly(second, first);
        assertThat(log.abortedTransactions(0, 1)).containsExactly(first);
        assertThat(log.abortedTransactions(3, 7)).containsExactly(first);
        assertThat(log.abortedTransactions(6, 7)).isEmpty();
        log.truncateTo(5);
        assertThat(log.abortedTransactions(0, 5)).containsExactly(second);
    }

    @Test
    void shouldGiveRecordsTheTimeOfTheirAppend() {
        PartitionLog log = create(LogConfig.builder()
                .timestamps(new TimestampConfig(TimestampType.LOG_APPEND_TIME, 0, 0))
                .build());
        long nowMs = time.wallClockMs();

        assertThat(appended(log.append(Batches.at(5, "a", "b"), 0, AppendOrigin.CLIENT))
                        .logAppendTimeMs())
                .isEqualTo(nowMs);
        assertThat(log.offsetForTimestamp(nowMs)).contains(new TimestampedOffset(0, nowMs, 0));
        assertThat(RecordBatch.at(log.read(0, 1_000, 2).batches(), 0).isCrcValid())
                .isTrue();
        log.append(Batches.fromProducer(3, 0, 0, "c"), 0, AppendOrigin.CLIENT);
        assertThat(log.append(Batches.fromProducer(3, 0, 0, "c"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new Duplicate(2, 2, nowMs));
    }

    @Test
    void shouldRefuseTimesThatAreTooFarAway() {
        PartitionLog log = create(LogConfig.builder()
                .timestamps(new TimestampConfig(TimestampType.CREATE_TIME, 1_000, 100))
                .build());
        long nowMs = time.wallClockMs();

        assertThatThrownBy(() -> log.append(Batches.at(nowMs + 99, "a", "b", "c"), 0, AppendOrigin.CLIENT))
                .isInstanceOfSatisfying(RecordRefusedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.TIMESTAMP);
                    assertThat(e.recordIndexes()).containsExactly(2);
                });
        assertThatThrownBy(() -> log.append(Batches.at(nowMs - 1_002, "a", "b", "c"), 0, AppendOrigin.CLIENT))
                .isInstanceOfSatisfying(
                        RecordRefusedException.class,
                        e -> assertThat(e.recordIndexes()).containsExactly(0, 1));
        assertThat(log.append(Batches.at(nowMs - 1_000, "a"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
        assertThat(log.append(Batches.at(nowMs + 100, "a"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
        assertThat(log.append(Batches.at(-1, "no time"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldRefuseRecordsWithoutKeyWhereTheyAreKeptByKey() {
        PartitionLog log =
                create(LogConfig.builder().cleanup(CleanupConfig.COMPACT).build());
        RecordBatchBuilder batch = Batches.builder();
        batch.tryAppend(1, new byte[] {1}, new byte[0]);
        batch.tryAppend(1, null, new byte[0]);

        assertThatThrownBy(() -> log.append(batch.build(), 0, AppendOrigin.CLIENT))
                .isInstanceOfSatisfying(RecordRefusedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_KEY);
                    assertThat(e.recordIndexes()).containsExactly(1);
                });
        assertThat(log.logEndOffset()).isZero();
    }

    @Test
    void shouldDescribeItsProducers() {
        PartitionLog log = create();
        log.append(Batches.fromProducer(7, 2, 0, "x", "y"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(8, 0, 0, "z"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(9, 1, 0, "z"), 0, AppendOrigin.CLIENT);
        log.append(Batches.marker(9, 1, EndTransactionMarker.commit(6)), 0, AppendOrigin.COORDINATOR);

        assertThat(log.activeProducers())
                .containsExactly(
                        new ActiveProducer(7, (short) 2, 1, 1001, -1, OptionalLong.empty()),
                        new ActiveProducer(8, (short) 0, 0, 1000, -1, OptionalLong.of(2)),
                        new ActiveProducer(9, (short) 1, 0, 1000, 6, OptionalLong.empty()));
    }

    @Test
    void shouldTellWhichTransactionsAreOpen() {
        PartitionLog log = create();
        assertThat(log.openTransactionEpoch(8)).isEqualTo((short) -1);
        log.append(Batches.fromProducer(7, 2, 0, "x", "y"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(8, 3, 0, "z"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(5, 0, 0, "z"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(9, 1, 0, "z"), 0, AppendOrigin.CLIENT);
        log.append(Batches.marker(9, 2, EndTransactionMarker.abort(6)), 0, AppendOrigin.COORDINATOR);

        assertThat(log.openTransactions())
                .containsExactly(new OpenTransaction(8, (short) 3, 2, 2), new OpenTransaction(5, (short) 0, 3, 3));
        assertThat(log.openTransactionEpoch(8)).isEqualTo((short) 3);
        assertThat(log.openTransactionEpoch(7)).as("not in a transaction").isEqualTo((short) -1);
        assertThat(log.openTransactionEpoch(9)).as("ended").isEqualTo((short) -1);
    }

    @Test
    void shouldTellTheTimeOfTheBatchThatHoldsAnOffset() {
        PartitionLog log = create();
        for (int batch = 0; batch < 500; batch++) {
            log.append(Batches.at(1_000 + 10 * batch, "a".repeat(300), "b".repeat(300)), 0, AppendOrigin.CLIENT);
        }

        for (int batch = 0; batch < 500; batch += 7) {
            assertThat(log.batchTimestampAt(2L * batch)).hasValue(1_001 + 10 * batch);
            assertThat(log.batchTimestampAt(2L * batch + 1)).hasValue(1_001 + 10 * batch);
        }
        assertThat(log.batchTimestampAt(1_000)).isEmpty();
        log.roll();
        log.advanceLogStart(2);
        assertThat(log.batchTimestampAt(1)).isEmpty();
        assertThat(log.batchTimestampAt(2)).hasValue(1_011);
    }

    @Test
    void shouldRefuseAStaleLeader() {
        PartitionLog log = create();
        log.append(Batches.of("a"), 5, AppendOrigin.CLIENT);

        assertThat(log.append(Batches.of("b"), 4, AppendOrigin.CLIENT)).isEqualTo(new StaleLeaderEpoch(5, 4));
        assertThat(log.beginEpoch(4)).isFalse();
        assertThat(log.beginEpoch(8)).isTrue();
        assertThat(log.append(Batches.of("b"), 7, AppendOrigin.COORDINATOR)).isEqualTo(new StaleLeaderEpoch(8, 7));
        assertThat(log.logEndOffset()).isEqualTo(1);
    }

    @Test
    void shouldTellWhereEpochsEnd() {
        PartitionLog log = create();
        assertThat(log.epochEndOffset(3)).isEmpty();
        log.append(Batches.of("a", "b"), 1, AppendOrigin.CLIENT);
        log.append(Batches.of("c"), 4, AppendOrigin.CLIENT);
        log.beginEpoch(6);

        assertThat(log.epochEndOffset(0)).isEmpty();
        assertThat(log.epochEndOffset(1)).contains(new EpochEnd(1, 2));
        assertThat(log.epochEndOffset(3)).contains(new EpochEnd(1, 2));
        assertThat(log.epochEndOffset(5)).contains(new EpochEnd(4, 3));
        assertThat(log.epochEndOffset(6)).contains(new EpochEnd(6, 3));
    }

    @Test
    void shouldStoreARetriedBatchOnce() {
        PartitionLog log = create();
        for (int sequence = 0; sequence < 12; sequence += 2) {
            log.append(Batches.fromProducer(7, 0, sequence, "x", "y"), 0, AppendOrigin.CLIENT);
        }

        for (int sequence = 2; sequence < 12; sequence += 2) {
            assertThat(log.append(Batches.fromProducer(7, 0, sequence, "x", "y"), 0, AppendOrigin.CLIENT))
                    .isEqualTo(new Duplicate(sequence, sequence + 1, 1001));
        }
        assertThat(log.append(Batches.fromProducer(7, 0, 0, "x", "y"), 0, AppendOrigin.CLIENT))
                .as("older than the last five")
                .isEqualTo(new OutOfOrderSequence(7, (short) 0, 12, 0));
        assertThat(log.append(Batches.fromProducer(7, 0, 10, "x"), 0, AppendOrigin.CLIENT))
                .as("begins like one of them, and is another")
                .isEqualTo(new OutOfOrderSequence(7, (short) 0, 12, 10));
        assertThat(log.logEndOffset()).isEqualTo(12);
    }

    @Test
    void shouldKeepTrackOfATransactionThatBeginsWhenAsManyAsAreRememberedAreOpen() {
        PartitionLog log = create(LogConfig.builder().maxProducers(2).build());
        for (int producer = 1; producer <= 4; producer++) {
            log.append(Batches.inTransaction(producer, 0, 0, "x"), 0, AppendOrigin.CLIENT);
        }
        for (int producer = 1; producer <= 4; producer++) {
            assertThat(log.openTransactionEpoch(producer)).isZero();
            log.append(Batches.marker(producer, 1, EndTransactionMarker.commit(6)), 0, AppendOrigin.COORDINATOR);
        }

        assertThat(log.openTransactions()).isEmpty();
        assertThat(log.lastStableOffset()).isEqualTo(log.logEndOffset());
    }

    @Test
    void shouldGiveBatchesOfThoseThatShareAProducerTheSequenceThatFollows() {
        PartitionLog log = create();
        for (String[] values : new String[][] {{"a", "b"}, {"c"}, {"d"}, {"e"}}) {
            assertThat(log.append(Batches.inTransaction(7, 3, 0, values), 0, AppendOrigin.SHARED_PRODUCER))
                    .isInstanceOf(Appended.class);
        }

        RecordBatches stored =
                RecordBatches.over(log.read(0, 1 << 20, log.logEndOffset()).batches());
        List<Integer> sequences = new ArrayList<>();
        while (stored.next()) {
            sequences.add(stored.current().baseSequence());
            assertThat(stored.current().isCrcValid()).isTrue();
        }
        assertThat(sequences).containsExactly(0, 2, 3, 4);
        assertThat(log.append(Batches.inTransaction(7, 2, 0, "late"), 0, AppendOrigin.SHARED_PRODUCER))
                .as("of an older epoch")
                .isEqualTo(new ProducerFenced(7, (short) 3, (short) 2));
    }

    @Test
    void shouldNotMendADamagedBatchOfThoseThatShareAProducer() {
        PartitionLog log = create();
        log.append(Batches.inTransaction(7, 3, 0, "a"), 0, AppendOrigin.SHARED_PRODUCER);
        ByteBuffer damaged = Batches.inTransaction(7, 3, 0, "b");
        damaged.put(damaged.limit() - 3, (byte) ~damaged.get(damaged.limit() - 3));

        assertThatThrownBy(() -> log.append(damaged, 0, AppendOrigin.SHARED_PRODUCER))
                .isInstanceOf(CorruptBatchException.class);
        assertThat(log.logEndOffset()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAGapInTheSequence() {
        PartitionLog log = create();
        log.append(Batches.fromProducer(7, 0, 0, "x"), 0, AppendOrigin.CLIENT);

        assertThat(log.append(Batches.fromProducer(7, 0, 2, "z"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new OutOfOrderSequence(7, (short) 0, 1, 2));
        assertThat(log.append(Batches.fromProducer(7, 1, 5, "z"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new OutOfOrderSequence(7, (short) 1, 0, 5));
        assertThat(log.append(Batches.fromProducer(7, 0, 1, "y"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldGoOnAfterTheLastSequenceNumber() {
        PartitionLog log = create();
        log.append(Batches.fromProducer(7, 0, Integer.MAX_VALUE - 1, "x", "y", "z"), 0, AppendOrigin.CLIENT);

        assertThat(log.append(Batches.fromProducer(7, 0, Integer.MAX_VALUE - 1, "x", "y", "z"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new Duplicate(0, 2, 1002));
        assertThat(log.append(Batches.fromProducer(7, 0, 1, "a"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldFenceAnOlderInstanceOfAProducer() {
        PartitionLog log = create();
        log.append(Batches.fromProducer(7, 1, 0, "x"), 0, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(7, 2, 0, "y"), 0, AppendOrigin.CLIENT);

        assertThat(log.append(Batches.fromProducer(7, 1, 1, "z"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new ProducerFenced(7, (short) 2, (short) 1));
    }

    @Test
    void shouldForgetTheProducerThatWasIdleForLongest() {
        PartitionLog log = create(LogConfig.builder().maxProducers(2).build());
        log.append(Batches.fromProducer(1, 0, 0, "x"), 0, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(2, 0, 0, "x"), 0, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(1, 0, 1, "x"), 0, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(3, 0, 0, "x"), 0, AppendOrigin.CLIENT);

        assertThat(log.append(Batches.fromProducer(1, 0, 5, "x"), 0, AppendOrigin.CLIENT))
                .as("known")
                .isInstanceOf(OutOfOrderSequence.class);
        assertThat(log.append(Batches.fromProducer(2, 0, 5, "x"), 0, AppendOrigin.CLIENT))
                .as("forgotten")
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldForgetProducersThatAreIdleTooLong() {
        PartitionLog log = create(LogConfig.builder().producerExpirationMs(1000).build());
        log.append(Batches.fromProducer(1, 0, 0, "x"), 0, AppendOrigin.CLIENT);
        log.append(Batches.inTransaction(2, 0, 0, "x"), 0, AppendOrigin.CLIENT);
        time.advanceMs(1000);

        log.retain(time.wallClockMs(), 0);

        assertThat(log.append(Batches.fromProducer(1, 0, 5, "x"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
        assertThat(log.append(Batches.inTransaction(2, 0, 5, "x"), 0, AppendOrigin.CLIENT))
                .as("its transaction is open")
                .isInstanceOf(OutOfOrderSequence.class);
    }

    @Test
    void shouldKeepTransactionsApartFromOtherWrites() {
        PartitionLog log = create();
        log.append(Batches.inTransaction(7, 0, 0, "x"), 0, AppendOrigin.CLIENT);

        assertThatThrownBy(() -> log.append(Batches.fromProducer(7, 0, 1, "y"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(InvalidBatchException.class)
                .hasMessageContaining("transaction open since offset 0");
        log.append(Batches.marker(7, 0, EndTransactionMarker.commit(0)), 0, AppendOrigin.COORDINATOR);
        assertThat(log.append(Batches.fromProducer(7, 0, 1, "y"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldTakeMarkersFromTheBrokerOnly() {
        PartitionLog log = create();

        assertThatThrownBy(
                        () -> log.append(Batches.marker(7, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.CLIENT))
                .isInstanceOf(InvalidBatchException.class);
        assertThat(log.append(Batches.marker(7, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.COORDINATOR))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldAppendSeveralBatchesOfTheBrokerAtOnce() {
        PartitionLog log = create();

        AppendResult result =
                log.append(Batches.join(Batches.of("a", "b"), Batches.of("c")), 2, AppendOrigin.COORDINATOR);

        assertThat(appended(result).lastOffset()).isEqualTo(2);
        assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b", "2=c");
        assertThatThrownBy(() -> log.append(Batches.join(Batches.of("a"), Batches.of("c")), 2, AppendOrigin.CLIENT))
                .isInstanceOf(InvalidBatchException.class);
    }

    @Test
    void shouldKeepOffsetsAndEpochsOfReplicatedBatches() {
        PartitionLog log = create();

        log.append(
                Batches.join(Batches.replicated(0, 1, "a", "b"), Batches.replicated(2, 3, "c")),
                5,
                AppendOrigin.REPLICATION);

        assertThat(log.latestEpoch()).isEqualTo(3);
        assertThat(log.epochEndOffset(1)).contains(new EpochEnd(1, 2));
        assertThat(log.append(Batches.replicated(4, 3, "d"), 5, AppendOrigin.REPLICATION))
                .isEqualTo(new UnexpectedOffset(3, 4));
        assertThat(log.append(Batches.replicated(3, 2, "d"), 5, AppendOrigin.REPLICATION))
                .isEqualTo(new StaleLeaderEpoch(3, 2));
        assertThat(log.append(Batches.replicated(3, 6, "d"), 5, AppendOrigin.REPLICATION))
                .isEqualTo(new StaleLeaderEpoch(6, 5));
        assertThat(log.append(
                        Batches.join(Batches.replicated(3, 3, "d"), Batches.replicated(5, 3, "e")),
                        5,
                        AppendOrigin.REPLICATION))
                .isEqualTo(new UnexpectedOffset(4, 5));
        assertThat(log.logEndOffset()).isEqualTo(3);
    }

    @Test
    void shouldNotCheckSequencesOfReplicatedBatches() {
        PartitionLog log = create();
        ByteBuffer batch = Batches.fromProducer(7, 0, 40, "x");
        RecordBatch.setPartitionLeaderEpoch(batch, 0, 0);
        log.append(batch, 0, AppendOrigin.REPLICATION);

        assertThat(log.append(Batches.fromProducer(7, 0, 40, "x"), 0, AppendOrigin.CLIENT))
                .isEqualTo(new Duplicate(0, 0, 1000));
    }

    @Test
    void shouldCorrectTheLargestTimestampOfACarelessClient() {
        PartitionLog log = create();
        ByteBuffer batch = Batches.at(500, "a", "b");
        RecordBatch.setMaxTimestamp(batch, 0, TimestampType.CREATE_TIME, 99_999);

        log.append(batch, 0, AppendOrigin.CLIENT);

        ByteBuffer stored = log.read(0, 1000, 10).batches();
        assertThat(RecordBatch.at(stored, stored.position()).maxTimestampMs()).isEqualTo(501);
    }

    /** Ways to break a batch. */
    enum Damage {
        CRC(RecordBatch.CRC, 1),
        RECORD(RecordBatch.HEADER_SIZE + 3, 1),
        MAGIC(RecordBatch.MAGIC, 0x40),
        LENGTH_ZERO(RecordBatch.LENGTH, -1),
        LENGTH_HUGE(RecordBatch.LENGTH, 0x7fffffff),
        LENGTH_NEGATIVE(RecordBatch.LENGTH, -5),
        LENGTH_SHORT(RecordBatch.LENGTH, 60);

        final int position;
        final int value;

        Damage(int position, int value) {
            this.position = position;
            this.value = value;
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldRefuseDamagedBatches(Damage damage) {
        PartitionLog log = create();
        log.append(Batches.of("before"), 0, AppendOrigin.CLIENT);
        ByteBuffer batch = Batches.of("a", "b");
        if (damage.position == RecordBatch.LENGTH) {
            batch.putInt(damage.position, damage.value);
        } else {
            batch.put(damage.position, (byte) (batch.get(damage.position) ^ damage.value));
        }

        for (AppendOrigin origin : AppendOrigin.values()) {
            assertThatThrownBy(() -> log.append(batch, 0, origin)).isInstanceOf(CorruptBatchException.class);
        }
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertThat(log.append(Batches.of("after"), 0, AppendOrigin.CLIENT)).isInstanceOf(Appended.class);
        assertThat(Batches.readAll(log)).containsExactly("0=before", "1=after");
    }

    @Test
    void shouldRefuseBatchesWhoseFieldsContradictEachOther() {
        PartitionLog log = create();

        assertRefused(log, withCrc(Batches.of("a", "b"), b -> b.putInt(RecordBatch.RECORDS_COUNT, 3)));
        assertRefused(log, withCrc(Batches.of("a", "b"), b -> b.putInt(RecordBatch.RECORDS_COUNT, 0)));
        assertRefused(log, withCrc(Batches.of("a", "b"), b -> b.putInt(RecordBatch.RECORDS_COUNT, -1)));
        assertRefused(log, withCrc(Batches.of("a", "b"), b -> b.putInt(RecordBatch.LAST_OFFSET_DELTA, 7)));
        assertRefused(log, withCrc(Batches.of("a", "b"), b -> b.putInt(RecordBatch.LAST_OFFSET_DELTA, -1)));
        assertRefused(log, withCrc(Batches.of("a"), b -> b.putShort(RecordBatch.ATTRIBUTES, (short) 7)));
        assertRefused(log, withCrc(Batches.of("a"), b -> b.putShort(RecordBatch.ATTRIBUTES, (short) 1)));
        assertRefused(log, withCrc(Batches.of("a"), b -> b.putLong(RecordBatch.PRODUCER_ID, 5)));
        assertRefused(log, ByteBuffer.allocate(0));
        assertRefused(log, ByteBuffer.allocate(5));
        assertRefused(log, ByteBuffer.allocate(200));
        assertThat(log.logEndOffset()).isZero();
    }

    private static void assertRefused(PartitionLog log, ByteBuffer batch) {
        assertThatThrownBy(() -> log.append(batch, 0, AppendOrigin.CLIENT)).isInstanceOf(RecordFormatException.class);
    }

    /** Changes a batch, and sets the checksum that it has then: only a careless or hostile writer makes such. */
    static ByteBuffer withCrc(ByteBuffer batch, java.util.function.Consumer<ByteBuffer> change) {
        change.accept(batch);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(batch.slice(RecordBatch.ATTRIBUTES, batch.limit() - RecordBatch.ATTRIBUTES));
        return batch.putInt(RecordBatch.CRC, (int) crc.getValue());
    }

    @Test
    void shouldRefuseABatchOverTheLimit() {
        PartitionLog log = create(LogConfig.builder().maxBatchBytes(100).build());

        assertThatThrownBy(() -> log.append(Batches.of("x".repeat(100)), 0, AppendOrigin.CLIENT))
                .isInstanceOf(BatchTooLargeException.class)
                .hasMessageContaining("limit of 100 bytes");
        log.reconfigure(LogConfig.DEFAULT);
        assertThat(log.append(Batches.of("x".repeat(100)), 0, AppendOrigin.CLIENT))
                .isInstanceOf(Appended.class);
    }

    @Test
    void shouldTellTheListenerWhenRecordsAreSynced() {
        PartitionLog log = create();
        log.append(Batches.of("a", "b"), 0, AppendOrigin.CLIENT);
        assertThat(listener.synced).as("never within the append").isEmpty();

        log.requestSync();
        runSyncer();
        shard.runAll();

        assertThat(listener.synced).containsExactly(2L);
        assertThat(log.syncedOffset()).isEqualTo(2);
    }

    @Test
    void shouldCutItsEnd() {
        PartitionLog log = create();
        log.append(Batches.of("a", "b"), 1, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(7, 0, 0, "c", "d"), 2, AppendOrigin.CLIENT);
        log.append(Batches.fromProducer(7, 0, 2, "e"), 3, AppendOrigin.CLIENT);
        log.requestSync();
        runSyncer();
        shard.runAll();

        log.truncateTo(9);
        assertThat(log.logEndOffset()).isEqualTo(5);
        log.truncateTo(4);
        assertThat(log.logEndOffset()).isEqualTo(4);
        log.truncateTo(3);
        assertThat(log.logEndOffset()).as("the batch 2..3 goes whole").isEqualTo(2);
        assertThat(log.syncedOffset()).isEqualTo(2);
        assertThat(log.latestEpoch()).isEqualTo(1);

        assertThat(log.append(Batches.fromProducer(7, 0, 0, "f"), 4, AppendOrigin.CLIENT))
                .as("its batches are forgotten with the records")
                .isInstanceOf(Appended.class);
        assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b", "2=f");
        log.requestSync();
        runSyncer();
        shard.runAll();
        assertThat(log.syncedOffset()).isEqualTo(3);
    }

    @Test
    void shouldForgetAnEpochWithoutARecordWhenCutAtItsEnd() {
        PartitionLog log = create();
        log.append(Batches.of("a"), 1, AppendOrigin.CLIENT);
        log.beginEpoch(5);

        log.truncateTo(2);
        assertThat(log.latestEpoch()).as("nothing to cut").isEqualTo(5);
        log.truncateTo(1);

        assertThat(log.latestEpoch()).isEqualTo(1);
        assertThat(log.epochEndOffset(5)).contains(new EpochEnd(1, 1));
        assertThat(log.append(Batches.of("b"), 3, AppendOrigin.CLIENT)).isInstanceOf(Appended.class);
        assertThat(Batches.readAll(log)).containsExactly("0=a", "1=b");
    }

    @Test
    void shouldStartAgainElsewhere() {
        PartitionLog log = create();
        log.append(Batches.fromProducer(7, 0, 0, "a"), 1, AppendOrigin.CLIENT);

        log.restartAt(100);

        assertThat(log.offsets()).isEqualTo(new LogOffsets(100, 100, 100, 100, -1, 0));
        log.append(Batches.fromProducer(7, 0, 0, "b"), 1, AppendOrigin.CLIENT);
        assertThat(Batches.readAll(log)).containsExactly("100=b");
    }

    @Test
    void shouldMoveItsStart() {
        PartitionLog log = create();
        log.append(Batches.of("a", "b", "c"), 1, AppendOrigin.CLIENT);
        log.append(Batches.of("d"), 2, AppendOrigin.CLIENT);

        log.advanceLogStart(2);

        assertThat(log.logStartOffset()).isEqualTo(2);
        assertThat(log.read(2, 1000, 10).firstOffset())
                .as("the batch stays whole")
                .isZero();
        assertThatThrownBy(() -> log.read(1, 1000, 10)).isInstanceOf(OffsetOutOfRangeException.class);
        assertThat(log.advanceLogStart(1)).isEqualTo(RetentionResult.NOTHING);
        assertThat(log.logStartOffset()).isEqualTo(2);
        assertThatThrownBy(() -> log.advanceLogStart(5)).isInstanceOf(OffsetOutOfRangeException.class);
        assertThatThrownBy(() -> log.truncateTo(1)).isInstanceOf(OffsetOutOfRangeException.class);
        log.advanceLogStart(4);
        assertThat(log.epochEndOffset(2)).contains(new EpochEnd(2, 4));
        assertThat(log.read(4, 1000, 10).isEmpty()).isTrue();
    }

    @Test
    void shouldDoNothingOnceClosed() {
        PartitionLog log = create();
        log.close();
        log.close();

        assertThatThrownBy(() -> log.append(Batches.of("a"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(LogClosedException.class);
        assertThatThrownBy(log::requestSync).isInstanceOf(LogClosedException.class);
    }
}
