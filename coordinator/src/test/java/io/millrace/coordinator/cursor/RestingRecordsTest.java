package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.testkit.FakeTimeSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RestingRecordsTest {

    private static final ConsumerKey ANNA = new ConsumerKey(new UUID(1, 1), 1);
    private static final ConsumerKey BEN = new ConsumerKey(new UUID(2, 2), 1);
    private static final ProducerIdentity TRANSACTION = new ProducerIdentity(7, (short) 0);
    private static final RedeliveryPolicy DOUBLING = new RedeliveryPolicy(1_000, 2, 3_000, 0);

    private final FakeTimeSource time = new FakeTimeSource(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(2), 0);
    private final LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
    private final Cursor cursor = partition.queue(5);

    RestingRecordsTest() {
        cursor.attach(ANNA);
        cursor.attach(BEN);
        restBy(DOUBLING);
    }

    private void restBy(RedeliveryPolicy policy) {
        partition.cursors.resting().restBy(policy, time);
    }

    private List<Long> lendable() {
        return NaiveCursor.offsets(cursor.decidedCandidates(0, 100));
    }

    private void pass(long ms) {
        time.advanceMs(ms);
        partition.cursors.resting().wake(time.nanoTime());
    }

    private void deliverAndRelease(long offset, boolean seen) {
        Acquisition lent = cursor.acquire(ANNA, List.of(OffsetRange.of(offset)));
        cursor.release(ANNA, lent.id(), List.of(OffsetRange.of(offset)), seen);
        partition.turn();
    }

    @Test
    void shouldLendTheOthersMeanwhileAndTheRecordInItsPlaceWhenItsRestIsOver() {
        deliverAndRelease(1, true);
        assertThat(lendable()).containsExactly(0L, 2L, 3L, 4L);
        assertThat(NaiveCursor.offsets(cursor.candidates(0, 100))).containsExactly(0L, 2L, 3L, 4L);

        pass(999);
        assertThat(lendable()).doesNotContain(1L);
        pass(1);

        assertThat(lendable()).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(partition.cursors.resting().nextNs()).isEmpty();
    }

    @Test
    void shouldHaveItRestLongerEachTimeUpToTheLongest() {
        for (long rest : new long[] {1_000, 2_000, 3_000, 3_000}) {
            deliverAndRelease(0, true);
            pass(rest - 1);
            assertThat(lendable()).as("before " + rest).doesNotContain(0L);
            pass(1);
            assertThat(lendable()).as("after " + rest).contains(0L);
        }
    }

    @Test
    void shouldLendAtOnceWhatNobodySaw() {
        deliverAndRelease(0, false);

        assertThat(lendable()).contains(0L);
    }

    @Test
    void shouldHaveRestWhatALostConsumerHeld() {
        cursor.acquire(ANNA, List.of(new OffsetRange(0, 2)));
        cursor.onConsumerGone(ANNA);

        assertThat(lendable()).containsExactly(2L, 3L, 4L);
        pass(1_000);
        assertThat(lendable()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldHaveRestWhatATransactionRolledBack() {
        Acquisition lent = cursor.acquire(ANNA, List.of(new OffsetRange(0, 2)));
        cursor.acknowledgePending(ANNA, lent.id(), List.of(new OffsetRange(0, 2)), TRANSACTION);
        partition.turn();
        partition.cursors.transactions().end(TRANSACTION, TRANSACTION.bumped(), false);

        assertThat(lendable()).containsExactly(2L, 3L, 4L);
        pass(1_000);
        assertThat(lendable()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldTellWhenTheNextRestIsOver() {
        deliverAndRelease(0, true);
        time.advanceMs(400);
        deliverAndRelease(1, true);

        assertThat(partition.cursors.resting().nextNs()).hasValue(time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(600));
        pass(600);
        assertThat(lendable()).containsExactly(0L, 2L, 3L, 4L);
        assertThat(partition.cursors.resting().nextNs()).hasValue(time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400));
    }

    @Test
    void shouldEndAllRestsWhenTheCursorIsMoved() {
        deliverAndRelease(3, true);
        cursor.moveTo(2);

        assertThat(lendable()).containsExactly(2L, 3L, 4L);
    }

    @Test
    void shouldForgetRestsWithTheLeader() {
        deliverAndRelease(0, true);

        Cursor after = partition.killed().cursors.cursor(CursorId.QUEUE).orElseThrow();

        assertThat(NaiveCursor.offsets(after.decidedCandidates(0, 100))).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(after.attempts(0)).isEqualTo(1);
    }

    @Test
    void shouldTakeOutWhatRests() {
        deliverAndRelease(0, true);
        cursor.purge(0, 5, 10, 10);

        assertThat(cursor.depth()).isZero();
        pass(1_000);
        assertThat(lendable()).isEmpty();
    }

    @Test
    void shouldLeaveAloneWhatRestsAlreadyWhenThePolicyChanges() {
        deliverAndRelease(0, true);
        restBy(RedeliveryPolicy.AT_ONCE);
        deliverAndRelease(1, true);

        assertThat(lendable()).containsExactly(1L, 2L, 3L, 4L);
        pass(1_000);
        assertThat(lendable()).contains(0L);
    }

    /** Whether they have looked at it before it was delivered, or come to it while it rests. */
    @Test
    void shouldOfferItToThoseWhoWantOnlySomeRecordsWhenItsRestIsOver() {
        SelectiveView ahead = cursor.openView();
        ahead.lookedTo(5);
        SelectiveView behind = cursor.openView();
        deliverAndRelease(1, true);

        assertThat(NaiveCursor.offsets(ahead.candidates(10))).isEmpty();
        assertThat(NaiveCursor.offsets(behind.candidates(10))).containsExactly(0L, 2L, 3L, 4L);
        behind.lookedTo(5);
        pass(1_000);

        assertThat(NaiveCursor.offsets(ahead.candidates(10))).containsExactly(1L);
        assertThat(NaiveCursor.offsets(behind.candidates(10))).containsExactly(1L);
    }

    @Test
    void shouldOfferItToThemAtOnceWhereNothingRests() {
        restBy(RedeliveryPolicy.AT_ONCE);
        SelectiveView view = cursor.openView();
        view.lookedTo(5);
        deliverAndRelease(1, true);

        assertThat(NaiveCursor.offsets(view.candidates(10))).containsExactly(1L);
    }

    @Test
    void shouldSpreadTheEndsOfRestsByTheJitter() {
        restBy(new RedeliveryPolicy(1_000, 1, 1_000, 0.5));
        for (long offset = 0; offset < 5; offset++) {
            deliverAndRelease(offset, true);
        }

        pass(499);
        assertThat(lendable()).isEmpty();
        pass(501);
        assertThat(lendable()).isNotEmpty().hasSizeLessThan(5);
        pass(500);
        assertThat(lendable()).hasSize(5);
    }

    @Test
    void shouldNotOverflowHoweverOftenARecordCameBack() {
        RedeliveryPolicy steep = new RedeliveryPolicy(Long.MAX_VALUE, 1_000, Long.MAX_VALUE, 1);

        assertThat(steep.delayNs(Long.MAX_VALUE, AttemptRange.MAX_ATTEMPTS)).isBetween(0L, Long.MAX_VALUE / 2);
    }

    @Test
    void shouldRefuseImpossiblePolicies() {
        assertThatThrownBy(() -> new RedeliveryPolicy(-1, 2, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RedeliveryPolicy(1, 0.5, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RedeliveryPolicy(1, Double.NaN, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RedeliveryPolicy(1, 2, 0, 1.1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jitter 1.1");
    }
}
