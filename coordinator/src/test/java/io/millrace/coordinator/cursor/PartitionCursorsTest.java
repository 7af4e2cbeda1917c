package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PartitionCursorsTest {

    private static final CursorLimits LIMITS = new CursorLimits(10_000, 50);
    private static final LeaderTerm TERM = new LeaderTerm(3, 7);
    private static final CursorId SUBSCRIPTION = new CursorId(new UUID(5, 5));
    private static final ConsumerKey ANNA = new ConsumerKey(new UUID(1, 1), 1);

    private final PartitionCursors cursors = new PartitionCursors(LIMITS);

    // ---- phases -------------------------------------------------------------------------------------------------

    @Test
    void shouldBeUsedOnlyByALeader() {
        assertThat(cursors.isLeading()).isFalse();
        assertThatThrownBy(() -> cursors.create(CursorId.QUEUE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cursors.onHighWatermark(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(cursors::endTurn).isInstanceOf(IllegalStateException.class);

        cursors.lead(TERM, LeaderStart.COMPLETE, 0);

        assertThat(cursors.isLeading()).isTrue();
        assertThatThrownBy(() -> cursors.replay(new CursorRecord.ImageBegin(0)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cursors.lead(TERM, LeaderStart.COMPLETE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldLendNothingBeforeTheReplayedLogIsSafe() {
        cursors.replay(new CursorRecord.Created(CursorId.QUEUE, 0, 100));
        cursors.lead(TERM, LeaderStart.COMPLETE, 1);
        cursors.onHighWatermark(20);
        Cursor queue = cursors.cursor(CursorId.QUEUE).orElseThrow();

        assertThat(queue.candidates(0, 10)).isEmpty();
        assertThat(cursors.onCursorLogHighWatermark(0)).isFalse();
        assertThat(cursors.onCursorLogHighWatermark(1)).isTrue();
        assertThat(queue.candidates(0, 10)).containsExactly(new OffsetRange(0, 10));
    }

    // ---- existence ----------------------------------------------------------------------------------------------

    @Test
    void shouldLeaveAnExistingCursorAsItIs() {
        cursors.lead(TERM, LeaderStart.COMPLETE, 0);
        Cursor created = cursors.create(SUBSCRIPTION, 5);
        cursors.endTurn();

        assertThat(cursors.create(SUBSCRIPTION, 9)).isSameAs(created);
        assertThat(created.earliestNeededOffset()).isEqualTo(5);
        assertThat(cursors.endTurn()).isEqualTo(CursorOutcome.NOTHING);
    }

    @Test
    void shouldKeepDurableCursorsAndThoseInMemoryApart() {
        cursors.lead(TERM, LeaderStart.COMPLETE, 0);
        cursors.create(CursorId.QUEUE, 0);
        cursors.createNonDurable(SUBSCRIPTION, 0);

        assertThatThrownBy(() -> cursors.createNonDurable(CursorId.QUEUE, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cursors.create(SUBSCRIPTION, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWriteNothingForACursorInMemory() {
        cursors.lead(TERM, LeaderStart.COMPLETE, 0);
        cursors.onHighWatermark(1_000);
        Cursor cursor = cursors.createNonDurable(SUBSCRIPTION, 10);
        cursor.attach(ANNA);
        Acquisition acquisition = cursor.acquire(ANNA, 500).orElseThrow();
        cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(20, 40)));
        cursor.release(ANNA, acquisition.id(), List.of(new OffsetRange(10, 15)), false);
        cursor.skip(new OffsetRange(600, 700));
        cursor.moveTo(50);
        cursor.dropBelow(60);
        cursors.truncate(500);
        cursors.delete(SUBSCRIPTION);

        assertThat(cursors.endTurn()).isEqualTo(CursorOutcome.NOTHING);
        assertThat(cursors.image()).containsExactly(new CursorRecord.ImageBegin(0), new CursorRecord.ImageEnd(0, 0));
    }

    @Test
    void shouldDoNothingToDeleteACursorThatDoesNotExist() {
        cursors.lead(TERM, LeaderStart.COMPLETE, 0);

        cursors.delete(SUBSCRIPTION);

        assertThat(cursors.endTurn()).isEqualTo(CursorOutcome.NOTHING);
        assertThat(cursors.cursor(SUBSCRIPTION)).isEmpty();
    }

    @Test
    void shouldNeverGiveOneAcquisitionTwiceInAPartition() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor first = partition.queue(100);
        first.attach(ANNA);
        Acquisition before = first.acquire(ANNA, 1).orElseThrow();
        partition.cursors.delete(CursorId.QUEUE);
        partition.turn();
        Cursor second = partition.queue(100);
        second.attach(ANNA);
        Acquisition after = second.acquire(ANNA, 1).orElseThrow();

        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(second.acknowledge(ANNA, before.id(), List.of(OffsetRange.of(0)))
                        .refused())
                .hasSize(1);
    }

    // ---- turns --------------------------------------------------------------------------------------------------

    @Test
    void shouldWriteTheAcknowledgementsOfATurnAsRanges() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(100);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 100).orElseThrow().id();
        partition.turn();
        for (long offset = 0; offset < 80; offset++) {
            queue.acknowledge(ANNA, id, List.of(OffsetRange.of(offset)));
        }
        queue.acknowledge(ANNA, id, List.of(OffsetRange.of(99)));

        assertThat(partition.turn())
                .containsExactly(new CursorRecord.Acknowledged(
                        CursorId.QUEUE, List.of(new OffsetRange(0, 80), OffsetRange.of(99))));
    }

    @Test
    void shouldWriteNoAttemptsOfWhatIsAcknowledgedInTheSameTurn() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(100);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 3).orElseThrow().id();
        queue.acknowledge(ANNA, id, List.of(new OffsetRange(0, 2)));

        assertThat(partition.turn())
                .containsExactly(
                        new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(new OffsetRange(0, 2))),
                        new CursorRecord.Attempts(
                                CursorId.QUEUE, List.of(new AttemptRange(OffsetRange.of(2), 1, false))));
    }

    @Test
    void shouldSpreadAManyRangesOverSeveralRecords() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10_000);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 10_000).orElseThrow().id();
        for (long offset = 1; offset < 10_000; offset += 2) {
            queue.acknowledge(ANNA, id, List.of(OffsetRange.of(offset)));
        }
        List<CursorRecord> records = partition.turn();

        assertThat(records)
                .hasSize(4)
                .allSatisfy(record ->
                        assertThat(CursorRecordCodec.encodeValue(record)).hasSizeLessThan(100_000));
        CursorStates replayed = new CursorStates();
        partition.log.forEach(replayed::replay);
        assertThat(replayed.image()).isEqualTo(partition.cursors.image());
    }

    @Test
    void shouldAskForASyncOnlyWhenSomebodyWaits() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(100);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 3).orElseThrow().id();
        CursorOutcome delivered = partition.cursors.endTurn();
        queue.acknowledge(ANNA, id, List.of(OffsetRange.of(0)));
        CursorOutcome acknowledged = partition.cursors.endTurn();
        queue.moveTo(0);
        CursorOutcome moved = partition.cursors.endTurn();

        assertThat(delivered.syncSoon()).isFalse();
        assertThat(acknowledged.syncSoon()).isFalse();
        assertThat(moved.syncSoon()).isTrue();
    }

    // ---- horizon ------------------------------------------------------------------------------------------------

    @Test
    void shouldLendUpToTheConfirmedHorizonAndWriteOneForEachStep() {
        cursors.lead(TERM, LeaderStart.COMPLETE, 0);
        Cursor queue = cursors.create(CursorId.QUEUE, 0);
        queue.attach(ANNA);
        cursors.onHighWatermark(100_000);
        cursors.onAppended(cursors.endTurn().records().size());
        cursors.onCursorLogHighWatermark(1);

        assertThat(queue.acquire(ANNA, 1_000).orElseThrow().count())
                .as("up to the first horizon")
                .isEqualTo(100);
        assertThat(cursors.endTurn().records()).contains(new CursorRecord.Horizon(CursorId.QUEUE, 150, 0));
        cursors.onAppended(3);
        assertThat(queue.acquire(ANNA, 1_000)).as("the second is not safe").isEmpty();
        assertThat(cursors.onCursorLogHighWatermark(2)).isFalse();
        assertThat(cursors.onCursorLogHighWatermark(3)).isTrue();
        assertThat(queue.acquire(ANNA, 1_000).orElseThrow().count()).isEqualTo(50);
    }

    @Test
    void shouldWriteOneHorizonForTenThousandRecords() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(100_000);
        queue.attach(ANNA);
        long horizons = 0;
        for (int turn = 0; turn < 1_000; turn++) {
            AcquisitionId id = queue.acquire(ANNA, 100).orElseThrow().id();
            queue.acknowledge(ANNA, id, List.of(new OffsetRange(0, 100_000)));
            horizons += partition.turn().stream()
                    .filter(CursorRecord.Horizon.class::isInstance)
                    .count();
        }

        assertThat(queue.depth()).isZero();
        assertThat(horizons).isEqualTo(9);
    }

    // ---- truncation ---------------------------------------------------------------------------------------------

    @Test
    void shouldWriteNoCutWhenNothingIsKnownBehindIt() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(100);
        queue.attach(ANNA);
        queue.acquire(ANNA, 10);
        partition.turn();

        partition.cursors.truncate(10);

        assertThat(partition.turn()).isEmpty();

        partition.cursors.truncate(9);

        assertThat(partition.turn()).contains(new CursorRecord.Truncated(9, 0));
        assertThat(queue.acquired()).isEqualTo(9);
    }

    @Test
    void shouldForgetWhatTheCutRecordsHadBeforeTheirOffsetsAreUsedAgain() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(20);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 20).orElseThrow().id();
        queue.acknowledge(ANNA, id, List.of(new OffsetRange(10, 20)));
        partition.turn();

        partition.cursors.truncate(12);
        partition.cursors.onHighWatermark(30);
        partition.turn();

        assertThat(queue.isAcknowledged(11)).isTrue();
        assertThat(queue.isAcknowledged(12)).isFalse();
        assertThat(queue.acquire(ANNA, 100).orElseThrow().grants()).containsExactly(new Grant(12, 18, 1, false));
    }

    @Test
    void shouldNotCountAHorizonFromBeforeACut() {
        cursors.replay(new CursorRecord.Created(CursorId.QUEUE, 0, 100));
        cursors.replay(new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(new OffsetRange(30, 40))));
        cursors.lead(TERM, LeaderStart.UNCERTAIN, 2);
        cursors.truncate(20);
        cursors.onHighWatermark(90);
        long logEnd = 2L + cursors.endTurn().records().size();
        cursors.onAppended(logEnd);
        Cursor queue = cursors.cursor(CursorId.QUEUE).orElseThrow();

        cursors.onCursorLogHighWatermark(2);
        assertThat(queue.candidates(0, 100))
                .as("the old horizon is void, the new one not safe")
                .isEmpty();

        cursors.onCursorLogHighWatermark(logEnd);
        assertThat(queue.candidates(0, 100)).containsExactly(new OffsetRange(0, 70));
    }

    // ---- retention ----------------------------------------------------------------------------------------------

    @Test
    void shouldKeepRecordsUntilTheirAcknowledgementIsSafe() {
        LedPartition partition = new LedPartition(LIMITS);
        assertThat(partition.cursors.removableBelow())
                .as("no cursor needs anything")
                .isEmpty();
        Cursor queue = partition.queue(100);
        queue.attach(ANNA);
        AcquisitionId id = queue.acquire(ANNA, 10).orElseThrow().id();
        partition.turn();
        queue.acknowledge(ANNA, id, List.of(new OffsetRange(0, 10)));
        List<CursorRecord> records = partition.cursors.endTurn().records();
        partition.cursors.onAppended(partition.log.size() + records.size());

        assertThat(partition.cursors.earliestNeededOffset()).hasValue(10);
        assertThat(partition.cursors.removableBelow()).hasValue(0);

        partition.cursors.onCursorLogHighWatermark(partition.log.size() + records.size());

        assertThat(partition.cursors.removableBelow()).hasValue(10);
    }

    @Test
    void shouldKeepWhatACursorWouldNeedAfterACrashBeforeItsMoveIsSafe() {
        LedPartition partition = new LedPartition(LIMITS);
        partition.queue(100).moveTo(50);
        partition.turn();
        partition.cursors.create(SUBSCRIPTION, 20);
        partition.cursors.onAppended(
                partition.log.size() + partition.cursors.endTurn().records().size());
        partition.cursors.cursor(SUBSCRIPTION).orElseThrow().moveTo(60);
        partition.cursors.onAppended(
                partition.log.size() + 1 + partition.cursors.endTurn().records().size());

        assertThat(partition.cursors.removableBelow())
                .as("a crash may leave the subscription at 20")
                .hasValue(20);

        partition.cursors.onCursorLogHighWatermark(partition.log.size() + 10);

        assertThat(partition.cursors.removableBelow()).hasValue(50);
    }

    @Test
    void shouldNeedWhatTheSlowestOfManyCursorsNeeds() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(100);
        Cursor fast = partition.cursors.create(SUBSCRIPTION, 10);
        partition.turn();
        fast.skip(new OffsetRange(10, 60));
        partition.turn();
        assertThat(partition.cursors.removableBelow()).hasValue(0);

        queue.skip(new OffsetRange(0, 70));
        partition.turn();
        assertThat(partition.cursors.removableBelow()).hasValue(60);

        fast.moveTo(80);
        partition.turn();
        assertThat(partition.cursors.removableBelow()).hasValue(70);

        fast.moveTo(65);
        partition.turn();
        assertThat(partition.cursors.removableBelow()).hasValue(65);

        partition.cursors.truncate(50);
        partition.turn();
        assertThat(partition.cursors.removableBelow()).hasValue(50);

        partition.cursors.delete(CursorId.QUEUE);
        partition.cursors.delete(SUBSCRIPTION);
        partition.turn();
        assertThat(partition.cursors.removableBelow()).isEmpty();
    }

    @Test
    void shouldCountACursorInMemoryWithoutWaiting() {
        LedPartition partition = new LedPartition(LIMITS);
        partition.cursors.onHighWatermark(100);
        Cursor cursor = partition.cursors.createNonDurable(SUBSCRIPTION, 30);

        assertThat(partition.cursors.removableBelow()).hasValue(30);

        cursor.dropBelow(70);

        assertThat(partition.cursors.removableBelow()).hasValue(70);

        partition.cursors.delete(SUBSCRIPTION);

        assertThat(partition.cursors.removableBelow()).isEqualTo(OptionalLong.empty());
    }

    @Test
    void shouldBoundWhatItRemembersWhileTheCursorLogIsNotSafe() {
        LedPartition partition = new LedPartition(LIMITS);
        Cursor queue = partition.queue(5_000);
        queue.attach(ANNA);
        long logEnd = partition.log.size();
        queue.moveTo(1);
        logEnd += partition.cursors.endTurn().records().size();
        partition.cursors.onAppended(logEnd);
        long firstAppend = logEnd;
        for (long offset = 2; offset <= 4_000; offset++) {
            queue.moveTo(offset);
            logEnd += partition.cursors.endTurn().records().size();
            partition.cursors.onAppended(logEnd);
        }

        assertThat(partition.cursors.removableBelow()).hasValue(0);
        partition.cursors.onCursorLogHighWatermark(firstAppend);
        assertThat(partition.cursors.removableBelow()).hasValue(1);
        partition.cursors.onCursorLogHighWatermark(logEnd - 1);
        assertThat(partition.cursors.removableBelow().orElseThrow()).isBetween(1L, 3_999L);
        partition.cursors.onCursorLogHighWatermark(logEnd);
        assertThat(partition.cursors.removableBelow()).hasValue(4_000);
        assertThat(queue.acquire(ANNA, 10)).as("horizons are remembered too").isPresent();
    }
}
