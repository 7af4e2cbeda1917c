package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CursorTest {

    private static final ConsumerKey ANNA = new ConsumerKey(new UUID(1, 1), 1);
    private static final ConsumerKey BEN = new ConsumerKey(new UUID(2, 2), 1);

    private final LedPartition partition = new LedPartition(new CursorLimits(100, 50));
    private final Cursor cursor = partition.queue(1_000);

    CursorTest() {
        cursor.attach(ANNA);
        cursor.attach(BEN);
    }

    @Test
    void shouldLendFreshRecordsInOrderOfTheirOffsets() {
        Acquisition first = cursor.acquire(ANNA, 3).orElseThrow();
        Acquisition second = cursor.acquire(BEN, 2).orElseThrow();

        assertThat(first.grants()).containsExactly(new Grant(0, 3, 1, false));
        assertThat(second.grants()).containsExactly(new Grant(3, 2, 1, false));
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(cursor.acquired()).isEqualTo(5);
        assertThat(cursor.acquiredBy(ANNA)).isEqualTo(3);
        assertThat(cursor.depth()).isEqualTo(1_000);
    }

    @Test
    void shouldKeepRecordsAcknowledgedOutOfOrder() {
        Acquisition acquisition = cursor.acquire(ANNA, 5).orElseThrow();

        AcknowledgeResult result =
                cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(3, 5), OffsetRange.of(1)));

        assertThat(result).isEqualTo(new AcknowledgeResult(3, List.of()));
        assertThat(cursor.earliestNeededOffset()).isZero();
        assertThat(cursor.depth()).isEqualTo(997);

        cursor.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(0)));

        assertThat(cursor.earliestNeededOffset()).isEqualTo(2);
        assertThat(cursor.isAcknowledged(4)).isTrue();
        assertThat(cursor.isAcknowledged(2)).isFalse();
    }

    @Test
    void shouldPurgeWhatNobodyHoldsAndKeepTheRest() {
        Acquisition held = cursor.acquire(ANNA, 10).orElseThrow();
        cursor.acknowledge(ANNA, held.id(), List.of(new OffsetRange(2, 4)));
        cursor.release(ANNA, held.id(), List.of(OffsetRange.of(7)), true);

        PurgeStep step = cursor.purge(0, 900, 1_000, 1_000_000);

        assertThat(step).isEqualTo(new PurgeStep(891, 900));
        assertThat(cursor.depth()).isEqualTo(107);
        assertThat(cursor.acquired()).isEqualTo(7);
        assertThat(cursor.isAcknowledged(7)).isTrue();
        assertThat(cursor.isAcknowledged(8)).isFalse();
        assertThat(cursor.candidates(0, 5)).isEmpty();
        partition.turn();
        assertThat(cursor.candidates(0, 5)).containsExactly(new OffsetRange(900, 905));
        cursor.acknowledge(
                ANNA, held.id(), List.of(new OffsetRange(0, 2), new OffsetRange(4, 7), new OffsetRange(8, 10)));
        assertThat(cursor.earliestNeededOffset()).isEqualTo(900);
    }

    @Test
    void shouldPurgeInStepsThatAKillMayEnd() {
        Acquisition held = cursor.acquire(ANNA, 20).orElseThrow();
        for (int offset = 0; offset < 20; offset += 2) {
            cursor.acknowledge(ANNA, held.id(), List.of(OffsetRange.of(offset)));
        }
        cursor.onConsumerGone(ANNA);
        partition.turn();

        PurgeStep first = cursor.purge(0, 1_000, 4, 1_000_000);
        assertThat(first).isEqualTo(new PurgeStep(4, 9));
        partition.turn();
        Cursor again = partition.killed().cursors.cursor(CursorId.QUEUE).orElseThrow();
        assertThat(again.depth()).isEqualTo(986);
        assertThat(again.earliestNeededOffset()).isEqualTo(9);

        PurgeStep second = cursor.purge(first.nextOffset(), 1_000, 100, 300);
        assertThat(second.removed()).isEqualTo(300);
        PurgeStep third = cursor.purge(second.nextOffset(), 1_000, 100, 1_000_000);
        assertThat(third).isEqualTo(new PurgeStep(686, 1_000));
        partition.turn();
        assertThat(cursor.depth()).isZero();
        assertThat(partition
                        .killed()
                        .cursors
                        .cursor(CursorId.QUEUE)
                        .orElseThrow()
                        .depth())
                .isZero();
    }

    @Test
    void shouldWriteOneRangeForFiveMillionPurgedRecords() {
        LedPartition deep = new LedPartition(new CursorLimits(100, 50));
        Cursor queue = deep.queue(5_000_000);

        assertThat(queue.purge(0, 5_000_000, 1_000, Long.MAX_VALUE).removed()).isEqualTo(5_000_000);

        assertThat(deep.turn()).hasSizeLessThan(4);
        assertThat(deep.killed().cursors.cursor(CursorId.QUEUE).orElseThrow().depth())
                .isZero();
    }

    @Test
    void shouldNotPurgeWhatIsNotBelowTheHighWatermark() {
        assertThatThrownBy(() -> cursor.purge(0, 1_001, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(cursor.depth()).isEqualTo(1_000);
    }

    @Test
    void shouldReturnReleasedRecordsToTheirOwnPlace() {
        Acquisition acquisition = cursor.acquire(ANNA, 6).orElseThrow();
        cursor.release(ANNA, acquisition.id(), List.of(OffsetRange.of(1), OffsetRange.of(4)), true);

        assertThat(cursor.candidates(0, 4))
                .containsExactly(OffsetRange.of(1), OffsetRange.of(4), new OffsetRange(6, 8));
        assertThat(cursor.acquire(BEN, 4).orElseThrow().grants())
                .containsExactly(new Grant(1, 1, 2, false), new Grant(4, 1, 2, false), new Grant(6, 2, 1, false));
    }

    @Test
    void shouldRefuseAnAcknowledgementOfAnAcquisitionThatIsNotCurrent() {
        Acquisition lost = cursor.acquire(ANNA, 3).orElseThrow();
        cursor.acknowledge(ANNA, lost.id(), List.of(OffsetRange.of(0)));
        cursor.onConsumerGone(ANNA);
        cursor.acquire(BEN, 1);

        AcknowledgeResult late = cursor.acknowledge(ANNA, lost.id(), List.of(new OffsetRange(0, 3)));

        assertThat(late).isEqualTo(new AcknowledgeResult(0, List.of(new OffsetRange(1, 3))));
    }

    @Test
    void shouldRefuseToLendWhatIsLent() {
        cursor.acquire(ANNA, 3);

        assertThatThrownBy(() -> cursor.acquire(BEN, List.of(new OffsetRange(2, 4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2-3");
        assertThat(cursor.acquired()).isEqualTo(3);
    }

    @Test
    void shouldLendNothingAtOrAboveTheHighWatermark() {
        Cursor topic = partition.cursors.create(new CursorId(new UUID(9, 9)), 998);
        partition.turn();

        assertThat(topic.candidates(0, 100)).containsExactly(new OffsetRange(998, 1_000));

        partition.cursors.onHighWatermark(900);

        assertThat(topic.candidates(0, 100))
                .as("a lower high watermark is an old one")
                .hasSize(1);

        partition.cursors.onHighWatermark(1_001);

        assertThat(topic.candidates(0, 100)).containsExactly(new OffsetRange(998, 1_001));
    }

    @Test
    void shouldCountADeliveryThatWasSeenAndTakeBackOneThatWasNot() {
        Acquisition acquisition = cursor.acquire(ANNA, 2).orElseThrow();
        cursor.release(ANNA, acquisition.id(), List.of(OffsetRange.of(0)), true);
        cursor.release(ANNA, acquisition.id(), List.of(OffsetRange.of(1)), false);

        assertThat(cursor.attempts(0)).isEqualTo(1);
        assertThat(cursor.attempts(1)).isZero();
        assertThat(cursor.acquire(BEN, 2).orElseThrow().grants())
                .containsExactly(new Grant(0, 1, 2, false), new Grant(1, 1, 1, false));
    }

    @Test
    void shouldCountEachOfManyDeliveriesOfOneRecord() {
        for (int delivery = 1; delivery <= 1_000; delivery++) {
            Acquisition acquisition = cursor.acquire(ANNA, 1).orElseThrow();
            assertThat(acquisition.grants().getFirst().attempts()).isEqualTo(delivery);
            cursor.release(ANNA, acquisition.id(), List.of(OffsetRange.of(0)), true);
        }
    }

    @Test
    void shouldRefuseAnAcknowledgementOfAnotherConsumersRecords() {
        Acquisition annas = cursor.acquire(ANNA, 2).orElseThrow();

        assertThat(cursor.acknowledge(BEN, annas.id(), List.of(new OffsetRange(0, 2)))
                        .refused())
                .containsExactly(new OffsetRange(0, 2));
        assertThat(cursor.release(BEN, annas.id(), List.of(new OffsetRange(0, 2)), true))
                .isZero();
        assertThat(cursor.acquiredBy(ANNA)).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnAcknowledgementUnderAFormerTerm() {
        Acquisition acquisition = cursor.acquire(ANNA, 2).orElseThrow();
        AcquisitionId former =
                new AcquisitionId(new LeaderTerm(0, 0), acquisition.id().counter());

        assertThat(cursor.acknowledge(ANNA, former, List.of(new OffsetRange(0, 2)))
                        .refused())
                .containsExactly(new OffsetRange(0, 2));
    }

    @Test
    void shouldRefuseOnlyWhatIsNeitherLentNorAcknowledged() {
        Acquisition acquisition = cursor.acquire(ANNA, 10).orElseThrow();
        cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(3, 5)));
        cursor.release(ANNA, acquisition.id(), List.of(new OffsetRange(6, 8)), true);

        AcknowledgeResult result = cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(2, 12)));

        assertThat(result).isEqualTo(new AcknowledgeResult(4, List.of(new OffsetRange(6, 8), new OffsetRange(10, 12))));
    }

    @Test
    void shouldReportABoundedNumberOfRefusedRanges() {
        LedPartition wide = new LedPartition(CursorLimits.DEFAULT);
        Cursor fragmented = wide.queue(10_000);
        fragmented.attach(ANNA);
        Acquisition acquisition = fragmented.acquire(ANNA, 6_000).orElseThrow();
        for (long offset = 1; offset < 6_000; offset += 2) {
            fragmented.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(offset)));
        }
        fragmented.onConsumerGone(ANNA);

        AcknowledgeResult result = fragmented.acknowledge(
                ANNA, acquisition.id(), List.of(new OffsetRange(0, 5_000), new OffsetRange(5_000, 6_000)));

        assertThat(result.refused())
                .hasSize(AcknowledgeResult.MAX_REFUSED)
                .startsWith(OffsetRange.of(0), OffsetRange.of(2))
                .endsWith(new OffsetRange(2_046, 6_000));
    }

    @Test
    void shouldLeaveTheRecordsOfAClosedConsumerWithItsSession() {
        Acquisition acquisition = cursor.acquire(ANNA, 3).orElseThrow();
        cursor.detach(ANNA);

        assertThat(cursor.consumers()).isEqualTo(1);
        assertThat(cursor.candidates(0, 1)).containsExactly(OffsetRange.of(3));
        assertThatThrownBy(() -> cursor.acquire(ANNA, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(cursor.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(0)))
                        .acknowledged())
                .isEqualTo(1);

        partition.cursors.onSessionGone(ANNA.sessionId());

        assertThat(cursor.candidates(0, 3)).containsExactly(new OffsetRange(1, 3), OffsetRange.of(3));
        assertThat(cursor.acquired()).isZero();
    }

    @Test
    void shouldTakeBackUncountedWhatAReturningConsumerDoesNotHave() {
        Acquisition first = cursor.acquire(ANNA, 4).orElseThrow();
        Acquisition second = cursor.acquire(ANNA, 2).orElseThrow();

        long returned = cursor.reattach(ANNA, List.of(new HeldRecords(first.id(), List.of(new OffsetRange(1, 3)))));

        assertThat(returned).isEqualTo(4);
        assertThat(cursor.acquiredBy(ANNA)).isEqualTo(2);
        assertThat(cursor.acknowledge(ANNA, second.id(), List.of(OffsetRange.of(4)))
                        .refused())
                .hasSize(1);
        assertThat(cursor.acquire(BEN, 5).orElseThrow().grants())
                .containsExactly(new Grant(0, 1, 1, false), new Grant(3, 4, 1, false));
    }

    @Test
    void shouldOfferWhatADispatcherPassedOver() {
        cursor.acquire(ANNA, List.of(new OffsetRange(10, 12)));

        assertThat(cursor.candidates(0, 12)).containsExactly(new OffsetRange(0, 10), new OffsetRange(12, 14));
        assertThat(cursor.candidates(5, 6)).containsExactly(new OffsetRange(5, 10), OffsetRange.of(12));
    }

    @Test
    void shouldRefuseToSkipWhatIsLentOrNotThereYet() {
        cursor.acquire(ANNA, 3);

        assertThatThrownBy(() -> cursor.skip(new OffsetRange(2, 5))).hasMessageContaining("2-4");
        assertThatThrownBy(() -> cursor.skip(new OffsetRange(999, 1_001))).hasMessageContaining("999-1000");
        assertThat(cursor.depth()).isEqualTo(1_000);

        cursor.skip(new OffsetRange(3, 1_000));

        assertThat(cursor.depth()).isEqualTo(3);
        assertThat(cursor.candidates(0, 10)).isEmpty();
    }

    @Test
    void shouldGoOnBehindASkippedRangeLongerThanTheHorizon() {
        cursor.skip(new OffsetRange(1, 900));
        partition.turn();
        Acquisition first = cursor.acquire(ANNA, 1).orElseThrow();
        partition.turn();

        assertThat(first.grants()).containsExactly(new Grant(0, 1, 1, false));
        assertThat(cursor.acquire(ANNA, 1).orElseThrow().grants()).containsExactly(new Grant(900, 1, 1, false));
    }

    @Test
    void shouldTakeAwayWhatRetentionRemoved() {
        Acquisition acquisition = cursor.acquire(ANNA, 10).orElseThrow();

        cursor.dropBelow(6);

        assertThat(cursor.earliestNeededOffset()).isEqualTo(6);
        assertThat(cursor.acquired()).isEqualTo(4);
        assertThat(cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(0, 10))))
                .isEqualTo(new AcknowledgeResult(4, List.of()));

        cursor.dropBelow(3);

        assertThat(cursor.earliestNeededOffset()).isEqualTo(10);
    }

    @Test
    void shouldMoveOnlyToWhereRecordsMayBe() {
        assertThatThrownBy(() -> cursor.moveTo(1_001)).hasMessageContaining("1000");
        assertThatThrownBy(() -> cursor.moveTo(-1)).hasMessageContaining("-1");

        cursor.moveTo(1_000);

        assertThat(cursor.depth()).isZero();
    }

    @Test
    void shouldDeliverAgainFromWhereItWasMovedTo() {
        Acquisition acquisition = cursor.acquire(ANNA, 10).orElseThrow();
        cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(0, 8)));

        cursor.moveTo(4);

        assertThat(cursor.depth()).isEqualTo(996);
        assertThat(cursor.acquire(BEN, 6).orElseThrow().grants())
                .containsExactly(new Grant(4, 4, 1, false), new Grant(10, 2, 1, false));
        assertThat(cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(4, 10))))
                .isEqualTo(new AcknowledgeResult(2, List.of(new OffsetRange(4, 8))));
    }

    @Test
    void shouldBeOfNoUseOnceDeleted() {
        cursor.acquire(ANNA, 3);
        partition.cursors.delete(CursorId.QUEUE);

        assertThatThrownBy(() -> cursor.acquire(ANNA, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cursor.attach(ANNA)).isInstanceOf(IllegalStateException.class);
        assertThat(partition.turn()).contains(new CursorRecord.Deleted(CursorId.QUEUE));
    }

    @Test
    void shouldRefuseRangesThatAreNotAscending() {
        assertThatThrownBy(() -> cursor.acquire(ANNA, List.of(OffsetRange.of(4), OffsetRange.of(3))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cursor.acquire(ANNA, List.of(new OffsetRange(0, 3), OffsetRange.of(2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(cursor.acquired()).isZero();
        assertThat(cursor.candidates(0, 5)).containsExactly(new OffsetRange(0, 5));
    }
}
