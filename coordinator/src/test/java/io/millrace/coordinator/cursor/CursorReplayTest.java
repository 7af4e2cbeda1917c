package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Images, and logs that make no sense. */
class CursorReplayTest {

    private static final CursorId SUBSCRIPTION = new CursorId(new UUID(5, 5));
    private static final CursorRecord CREATED = new CursorRecord.Created(CursorId.QUEUE, 0, 100);
    private static final CursorRecord ACKNOWLEDGED =
            new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(new OffsetRange(4, 6)));

    private final CursorStates states = new CursorStates();

    @Test
    void shouldReplaceEverythingByACompleteImage() {
        replay(CREATED, new CursorRecord.Created(SUBSCRIPTION, 0, 100));
        CursorStates other = new CursorStates();
        other.replay(CREATED);
        other.replay(ACKNOWLEDGED);

        other.image().forEach(states::replay);

        assertThat(states.image()).isEqualTo(other.image());
    }

    @Test
    void shouldDropAnImageThatWasTorn() {
        replay(CREATED, ACKNOWLEDGED);
        List<CursorRecord> before = states.image();

        replay(new CursorRecord.ImageBegin(2), part(List.of()));
        states.endReplay();
        assertThat(states.image()).isEqualTo(before);

        replay(new CursorRecord.ImageBegin(2), part(List.of()), new CursorRecord.Moved(CursorId.QUEUE, 9));
        assertThat(state().startOffset()).isEqualTo(9);
        assertThatThrownBy(() -> replay(new CursorRecord.ImageEnd(1, 1)))
                .isInstanceOf(InconsistentCursorLogException.class);
    }

    @Test
    void shouldBeginAnewWithTheImageAfterATornOne() {
        replay(new CursorRecord.ImageBegin(7), part(List.of(new OffsetRange(20, 30))));
        replay(new CursorRecord.ImageBegin(1), part(List.of(new OffsetRange(5, 6))), new CursorRecord.ImageEnd(1, 1));

        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(5, 6));
    }

    @Test
    void shouldSpreadACursorOverSeveralPartsOfAnImage() {
        replay(new CursorRecord.Created(CursorId.QUEUE, 0, 100_000));
        List<CursorRecord> records = new ArrayList<>();
        for (long offset = 1; offset < 30_000; offset += 3) {
            records.add(new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(OffsetRange.of(offset))));
            records.add(new CursorRecord.Attempts(
                    CursorId.QUEUE,
                    List.of(new AttemptRange(OffsetRange.of(offset + 1), 1 + (int) offset % 2, offset % 5 == 0))));
        }
        records.forEach(states::replay);

        List<CursorRecord> image = states.image();
        CursorStates fromImage = new CursorStates();
        image.forEach(fromImage::replay);

        assertThat(image).hasSize(2 + 5);
        assertThat(image.getLast()).isEqualTo(new CursorRecord.ImageEnd(1, 5));
        assertThat(fromImage.image()).isEqualTo(image);
        assertThat(image)
                .allSatisfy(record ->
                        assertThat(CursorRecordCodec.encodeValue(record)).hasSizeLessThan(100_000));
    }

    @Test
    void shouldTakeAnImageOnlyBetweenTurns() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        partition.queue(10).moveTo(3);

        assertThatThrownBy(partition.cursors::image)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("endTurn");

        partition.turn();

        assertThat(partition.cursors.image()).hasSize(3);
    }

    @Test
    void shouldRefuseRecordsOfACursorThatDoesNotExist() {
        requireInconsistent("does not exist", ACKNOWLEDGED);
        requireInconsistent("does not exist", new CursorRecord.Moved(CursorId.QUEUE, 1));
        requireInconsistent("does not exist", new CursorRecord.Horizon(CursorId.QUEUE, 1, 0));
        requireInconsistent("does not exist", CREATED, new CursorRecord.Deleted(SUBSCRIPTION));
        requireInconsistent(
                "does not exist",
                CREATED,
                new CursorRecord.Deleted(CursorId.QUEUE),
                new CursorRecord.Moved(CursorId.QUEUE, 1));
    }

    @Test
    void shouldHaveACursorBeginAnewWhoseCreationIsLost() {
        states.onLoss();
        replay(ACKNOWLEDGED, new CursorRecord.Deleted(SUBSCRIPTION));

        assertThat(states.isIncomplete()).isTrue();
        assertThat(states.restored()).containsExactly(CursorId.QUEUE);
        assertThat(state().startOffset()).isZero();
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(4, 6));
    }

    @Test
    void shouldForgetALossBehindWhichThereIsAWholeImage() {
        states.onLoss();
        replay(ACKNOWLEDGED);
        replay(new CursorRecord.ImageBegin(1), part(List.of(new OffsetRange(20, 30))), new CursorRecord.ImageEnd(1, 1));

        assertThat(states.isIncomplete()).isFalse();
        assertThat(states.restored()).isEmpty();
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(20, 30));
        requireInconsistent("does not exist", new CursorRecord.Moved(SUBSCRIPTION, 1));
    }

    @Test
    void shouldTakeWhatIsThereOfAnImageThatIsLostInPart() {
        // Its end is lost, its beginning, and a part in the middle.
        replay(new CursorRecord.ImageBegin(2), part(List.of(new OffsetRange(20, 30))));
        states.onLoss();
        replay(ACKNOWLEDGED);
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(4, 6), new OffsetRange(20, 30));

        states.onLoss();
        replay(part(List.of(new OffsetRange(40, 50))), new CursorRecord.ImageEnd(1, 1));
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(40, 50));

        replay(new CursorRecord.ImageBegin(1), part(List.of(new OffsetRange(60, 70))));
        states.onLoss();
        replay(new CursorRecord.ImageEnd(1, 2));
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(60, 70));
        assertThat(states.isIncomplete()).isTrue();
    }

    /** Whatever part of a log is lost: it can be used, and nothing counts as acknowledged that was not. */
    @Test
    void shouldLoseNoMessageWhicheverRecordsAreLost() {
        Random random = new Random(11);
        for (int round = 0; round < 300; round++) {
            LedPartition partition = new LedPartition(new CursorLimits(100, 20));
            Cursor queue = partition.queue(200);
            ConsumerKey consumer = new ConsumerKey(new UUID(0, 1), 1);
            queue.attach(consumer);
            for (int turn = 0; turn < 30; turn++) {
                queue.acquire(consumer, 1 + random.nextInt(9)).ifPresent(lent -> {
                    List<OffsetRange> ranges = lent.grants().stream()
                            .map(grant -> new OffsetRange(grant.firstOffset(), grant.endOffset()))
                            .toList();
                    if (random.nextInt(3) > 0) {
                        queue.acknowledge(consumer, lent.id(), ranges);
                    } else if (random.nextBoolean()) {
                        queue.release(consumer, lent.id(), ranges, random.nextBoolean());
                    }
                });
                partition.turn();
                if (random.nextInt(10) == 0) {
                    partition.log.addAll(partition.cursors.image());
                }
            }
            int from = random.nextInt(partition.log.size());
            int to = from + 1 + random.nextInt(partition.log.size() - from);
            PartitionCursors replayed = new PartitionCursors(new CursorLimits(100, 20));
            partition.log.subList(0, from).forEach(replayed::replay);
            replayed.replayLoss();
            partition.log.subList(to, partition.log.size()).forEach(replayed::replay);
            replayed.lead(new LeaderTerm(0, 9), LeaderStart.UNCERTAIN, 1_000);
            replayed.truncate(200);
            if (replayed.isIncomplete()) {
                replayed.suspectDeliveriesBelow(200);
            }
            replayed.endTurn();
            replayed.onAppended(1_100);
            replayed.onCursorLogHighWatermark(1_100);
            replayed.onHighWatermark(200);

            Cursor after = replayed.create(CursorId.QUEUE, 0);
            for (long offset = 0; offset < 200; offset++) {
                if (!queue.isAcknowledged(offset)) {
                    assertThat(after.isAcknowledged(offset))
                            .as("round %d, offset %d, without %d..%d", round, offset, from, to)
                            .isFalse();
                }
            }
            after.attach(consumer);
            boolean incomplete = replayed.isIncomplete() && !replayed.cursors().isEmpty();
            after.acquire(consumer, 200)
                    .ifPresent(lent -> lent.grants().forEach(grant -> {
                        if (incomplete && grant.endOffset() <= queue.nextFreshOffset()) {
                            assertThat(grant.redelivered()).isTrue();
                        }
                    }));
        }
    }

    @Test
    void shouldRefuseASecondCreation() {
        requireInconsistent("a second time", CREATED, CREATED);
    }

    @Test
    void shouldRefuseAttemptsOfAcknowledgedRecords() {
        for (long first = 3; first < 6; first++) {
            requireInconsistent(
                    "some are acknowledged",
                    CREATED,
                    ACKNOWLEDGED,
                    new CursorRecord.Attempts(
                            CursorId.QUEUE, List.of(new AttemptRange(OffsetRange.ofCount(first, 2), 1, false))));
        }
        requireInconsistent(
                "some are acknowledged",
                new CursorRecord.Created(CursorId.QUEUE, 5, 100),
                new CursorRecord.Attempts(CursorId.QUEUE, List.of(new AttemptRange(OffsetRange.of(4), 1, false))));
    }

    @Test
    void shouldRefuseAnImageThatDoesNotAddUp() {
        requireInconsistent("without the image's beginning", part(List.of()));
        requireInconsistent("without the image's beginning", new CursorRecord.ImageEnd(0, 0));
        requireInconsistent(
                "2 cursors ended after 1",
                new CursorRecord.ImageBegin(2),
                part(List.of()),
                new CursorRecord.ImageEnd(2, 1));
        requireInconsistent(
                "in 1 parts", new CursorRecord.ImageBegin(1), part(List.of()), new CursorRecord.ImageEnd(1, 2));
        requireInconsistent(
                "differ",
                new CursorRecord.ImageBegin(1),
                part(List.of()),
                new CursorRecord.ImagePart(CursorId.QUEUE, 1, 101, 0, List.of(), List.of()));
    }

    // ---- transactions -------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseWhatCannotBePending() {
        requireInconsistent("of which some are acknowledged or pending", CREATED, ACKNOWLEDGED, pending(1, 5, 7));
        requireInconsistent("of which some are acknowledged or pending", CREATED, pending(1, 5, 7), pending(1, 6, 8));
        requireInconsistent("another transaction open", CREATED, pending(1, 5, 7), pending(2, 8, 9));
        requireInconsistent(
                "before its first part",
                new CursorRecord.ImageBegin(1),
                new CursorRecord.ImagePending(CursorId.QUEUE, transaction(1), List.of(new OffsetRange(5, 7))));
        requireInconsistent(
                "without the image's beginning",
                CREATED,
                new CursorRecord.ImagePending(CursorId.QUEUE, transaction(1), List.of(new OffsetRange(5, 7))));
    }

    @Test
    void shouldTakeAnEndForWhatIsNotLaterOnly() {
        replay(CREATED, pending(3, 5, 7));

        replay(new CursorRecord.TransactionEnded(transaction(2), true));
        assertThat(state().pending().transactions()).containsExactly(transaction(3));

        replay(new CursorRecord.TransactionEnded(transaction(4), true));
        assertThat(state().pending().isEmpty()).isTrue();
        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(5, 7));
    }

    @Test
    void shouldTakeWhatMayBePendingBehindALoss() {
        replay(CREATED, ACKNOWLEDGED, pending(1, 10, 12));
        states.onLoss();

        replay(pending(2, 3, 8));

        assertThat(state().pending().transactions()).containsExactly(transaction(2));
        assertThat(Ranges.of(state().pending().all())).containsExactly(new OffsetRange(3, 4), new OffsetRange(6, 8));
    }

    @Test
    void shouldRollBackAtTheStartWhatAnotherCursorKnowsTheEndOf() {
        PartitionCursors cursors = new PartitionCursors(CursorLimits.DEFAULT);
        cursors.replay(new CursorRecord.Created(CursorId.QUEUE, 0, 100));
        cursors.replay(new CursorRecord.Created(SUBSCRIPTION, 0, 100));
        cursors.replay(
                new CursorRecord.PendingAcknowledged(CursorId.QUEUE, transaction(2), List.of(new OffsetRange(0, 2))));
        cursors.replayLoss();
        cursors.replay(
                new CursorRecord.PendingAcknowledged(SUBSCRIPTION, transaction(1), List.of(new OffsetRange(0, 3))));

        cursors.lead(new LeaderTerm(0, 1), LeaderStart.COMPLETE, 4);

        assertThat(cursors.transactions().open()).containsExactly(transaction(2));
        assertThat(cursors.cursor(CursorId.QUEUE).orElseThrow().pending()).isEqualTo(2);
        assertThat(cursors.cursor(SUBSCRIPTION).orElseThrow().pending()).isZero();
        assertThat(cursors.endTurn().records()).contains(new CursorRecord.TransactionEnded(transaction(1), false));
    }

    private static ProducerIdentity transaction(int epoch) {
        return new ProducerIdentity(7, (short) epoch);
    }

    private static CursorRecord pending(int epoch, long first, long end) {
        return new CursorRecord.PendingAcknowledged(
                CursorId.QUEUE, transaction(epoch), List.of(new OffsetRange(first, end)));
    }

    private static CursorRecord part(List<OffsetRange> acknowledged) {
        return new CursorRecord.ImagePart(CursorId.QUEUE, 1, 100, 0, acknowledged, List.of());
    }

    private CursorState state() {
        CursorState state = states.byCursor().get(CursorId.QUEUE);
        assertThat(state).isNotNull();
        return state;
    }

    private void replay(CursorRecord... records) {
        for (CursorRecord record : records) {
            states.replay(record);
        }
    }

    private static void requireInconsistent(String message, CursorRecord... records) {
        CursorStates fresh = new CursorStates();
        assertThatThrownBy(() -> {
                    for (CursorRecord record : records) {
                        fresh.replay(record);
                    }
                })
                .isInstanceOf(InconsistentCursorLogException.class)
                .hasMessageContaining(message);
    }
}
