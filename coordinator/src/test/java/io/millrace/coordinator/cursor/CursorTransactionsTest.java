package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Acknowledgements in transactions, and records of transactions. */
class CursorTransactionsTest {

    private static final ConsumerKey ALICE = new ConsumerKey(new UUID(1, 1), 1);
    private static final ProducerIdentity TRANSACTION = new ProducerIdentity(7, (short) 4);
    private static final CursorId SUBSCRIPTION = new CursorId(new UUID(5, 5));

    @Test
    void shouldLendNobodyWhatIsAcknowledgedInATransaction() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor cursor = partition.queue(5);
        cursor.attach(ALICE);
        Acquisition acquisition = cursor.acquire(ALICE, 3).orElseThrow();

        AcknowledgeResult result =
                cursor.acknowledgePending(ALICE, acquisition.id(), List.of(new OffsetRange(0, 2)), TRANSACTION);
        cursor.onConsumerGone(ALICE);

        assertThat(result).isEqualTo(new AcknowledgeResult(2, List.of()));
        assertThat(cursor.pending()).isEqualTo(2);
        assertThat(cursor.acquired()).isZero();
        assertThat(cursor.isAcknowledged(0)).isFalse();
        assertThat(cursor.attempts(0)).isEqualTo(1);
        assertThat(cursor.candidates(0, 10)).containsExactly(new OffsetRange(2, 3), new OffsetRange(3, 5));
    }

    @Test
    void shouldRefuseATransactionWhatIsNotLentButNotWhatItHasAcknowledged() {
        Cursor cursor = new LedPartition(CursorLimits.DEFAULT).queue(5);
        cursor.attach(ALICE);
        Acquisition acquisition = cursor.acquire(ALICE, 3).orElseThrow();
        cursor.acknowledgePending(ALICE, acquisition.id(), List.of(OffsetRange.of(1)), TRANSACTION);

        assertThat(cursor.acknowledgePending(ALICE, acquisition.id(), List.of(new OffsetRange(0, 5)), TRANSACTION))
                .isEqualTo(new AcknowledgeResult(2, List.of(new OffsetRange(3, 5))));
        assertThat(cursor.acknowledge(ALICE, acquisition.id(), List.of(OffsetRange.of(1)))
                        .refused())
                .as("another acknowledgement of what is pending")
                .containsExactly(OffsetRange.of(1));
        assertThat(cursor.acknowledgePending(
                                ALICE, acquisition.id(), List.of(OffsetRange.of(1)), new ProducerIdentity(8, (short) 0))
                        .refused())
                .as("of another transaction")
                .containsExactly(OffsetRange.of(1));
    }

    @Test
    void shouldTakeNothingThatIsPendingWhenPurged() {
        Cursor cursor = new LedPartition(CursorLimits.DEFAULT).queue(5);
        cursor.attach(ALICE);
        Acquisition acquisition = cursor.acquire(ALICE, 2).orElseThrow();
        cursor.acknowledgePending(ALICE, acquisition.id(), List.of(OffsetRange.of(0)), TRANSACTION);

        assertThat(cursor.purge(0, 5, 10, 10).removed()).isEqualTo(3);
        assertThat(cursor.pending()).isEqualTo(1);
        assertThat(cursor.depth()).isEqualTo(2);
    }

    @Test
    void shouldPassOverUndecidedRecordsFarBeyondTheHorizonAndComeBack() {
        LedPartition partition = new LedPartition(new CursorLimits(10, 5));
        Cursor cursor = partition.queue(1_000);
        partition.cursors.undecided().add(3, 0, 900);
        cursor.attach(ALICE);

        assertThat(cursor.decidedCandidates(0, 10))
                .as("the horizon is not there yet")
                .isEmpty();
        partition.turn();
        assertThat(cursor.decidedCandidates(0, 3)).containsExactly(new OffsetRange(900, 903));
        assertThat(cursor.depth()).isEqualTo(100);
        assertThat(cursor.earliestDecidedOffset()).isEqualTo(900);

        cursor.acquire(ALICE, List.of(new OffsetRange(900, 903)));
        partition.cursors.undecided().decide(3, true, 0, 1_000);
        assertThat(cursor.decidedCandidates(0, 3)).containsExactly(new OffsetRange(0, 3));
        assertThat(cursor.depth()).isEqualTo(1_000);
    }

    @Test
    void shouldTakeOutAtOnceWhatIsRolledBackBelowTheHighWatermark() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor cursor = partition.queue(10);
        partition.cursors.undecided().add(3, 2, 4);
        partition.cursors.undecided().add(3, 8, 12);
        cursor.attach(ALICE);
        cursor.acquire(ALICE, cursor.decidedCandidates(0, 4));
        partition.turn();

        partition.cursors.undecided().decide(3, false, 0, 13);

        assertThat(partition.turn())
                .containsExactly(new CursorRecord.Acknowledged(
                        CursorId.QUEUE, List.of(new OffsetRange(2, 4), new OffsetRange(8, 10))));
        assertThat(cursor.depth()).isEqualTo(6);
        partition.cursors.onHighWatermark(13);
        assertThat(cursor.decidedCandidates(0, 10))
                .as("to be skipped by whoever comes to it")
                .containsExactly(new OffsetRange(6, 8), new OffsetRange(10, 13));
        assertThat(partition.cursors.undecided().isAborted(11)).isTrue();
        assertThat(partition.cursors.undecided().isAborted(12)).isFalse();
    }

    @Test
    void shouldNotPurgeWhatIsUndecided() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor cursor = partition.queue(10);
        partition.cursors.undecided().add(3, 2, 4);
        partition.cursors.undecided().add(3, 8, 10);

        PurgeStep step = cursor.purge(0, 10, 100, 100);

        assertThat(step).isEqualTo(new PurgeStep(6, 10));
        assertThat(cursor.depth()).isZero();
        partition.cursors.undecided().decide(3, true, 0, 10);
        assertThat(cursor.decidedCandidates(0, 10)).containsExactly(new OffsetRange(2, 4), new OffsetRange(8, 10));
    }

    // ---- ends ---------------------------------------------------------------------------------------------------

    @Test
    void shouldCountACommitInAllCursorsAtOnceAndAfterARestart() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        Cursor other = partition.cursors.create(SUBSCRIPTION, 0);
        partition.turn();
        pend(queue, 3);
        pend(other, 2);
        partition.turn();

        PendingTransactions.Ended ended = partition.cursors.transactions().end(TRANSACTION, TRANSACTION.bumped(), true);

        assertThat(ended).isEqualTo(new PendingTransactions.Ended(true, true, 5));
        assertThat(partition.turn()).containsExactly(new CursorRecord.TransactionEnded(TRANSACTION.bumped(), true));
        assertThat(queue.earliestNeededOffset()).isEqualTo(3);
        assertThat(other.earliestNeededOffset()).isEqualTo(2);
        PartitionCursors restarted = partition.killed().cursors;
        assertThat(restarted.cursor(CursorId.QUEUE).orElseThrow().earliestNeededOffset())
                .isEqualTo(3);
        assertThat(restarted.transactions().open()).isEmpty();
    }

    @Test
    void shouldHaveRecordsAvailableInTheirPlaceWithTheirAttemptsAfterARollback() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        pend(queue, 3);
        queue.acquire(ALICE, 2);
        partition.turn();

        partition.cursors.transactions().end(TRANSACTION, TRANSACTION, false);

        Acquisition again = queue.acquire(ALICE, 4).orElseThrow();
        assertThat(again.grants()).containsExactly(new Grant(0, 3, 2, false), new Grant(5, 1, 1, false));
        assertThat(partition.turn()).startsWith(new CursorRecord.TransactionEnded(TRANSACTION, false));
    }

    @Test
    void shouldKeepWhatIsPendingOverARestartForAPreparedBranch() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        pend(partition.queue(10), 3);
        partition.turn();

        LedPartition restarted = partition.crashed(LeaderStart.UNCERTAIN);
        restarted.turn();
        Cursor queue = restarted.cursors.cursor(CursorId.QUEUE).orElseThrow();
        queue.attach(ALICE);

        assertThat(restarted.cursors.transactions().open()).containsExactly(TRANSACTION);
        assertThat(queue.candidates(0, 10)).containsExactly(new OffsetRange(3, 10));
        assertThat(restarted.cursors.transactions().end(TRANSACTION, TRANSACTION.bumped(), false))
                .isEqualTo(new PendingTransactions.Ended(true, true, 0));
        assertThat(queue.acquire(ALICE, 1).orElseThrow().grants()).containsExactly(new Grant(0, 1, 2, false));
    }

    @Test
    void shouldRefuseWhatComesUnderAnOlderEpochThanAnEnd() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        queue.attach(ALICE);
        Acquisition acquisition = queue.acquire(ALICE, 3).orElseThrow();
        partition.cursors.transactions().end(TRANSACTION, TRANSACTION.bumped(), false);

        AcknowledgeResult result =
                queue.acknowledgePending(ALICE, acquisition.id(), List.of(new OffsetRange(0, 3)), TRANSACTION);

        assertThat(result).isEqualTo(new AcknowledgeResult(0, List.of(new OffsetRange(0, 3))));
        assertThat(queue.acquired()).isEqualTo(3);
        assertThatThrownBy(() -> partition.cursors.transactions().begin(TRANSACTION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("producer 7 epoch 4");
    }

    @Test
    void shouldRollBackWhatALaterTransactionFindsOpen() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        pend(queue, 3);
        partition.turn();
        Acquisition next = queue.acquire(ALICE, 1).orElseThrow();

        queue.acknowledgePending(ALICE, next.id(), List.of(OffsetRange.of(3)), TRANSACTION.bumped());

        assertThat(queue.pending()).isEqualTo(1);
        assertThat(queue.candidates(0, 3)).containsExactly(new OffsetRange(0, 3));
        // The end of the one before, told late, and as a commit, does nothing to the later one.
        assertThat(partition
                        .cursors
                        .transactions()
                        .end(TRANSACTION, TRANSACTION.bumped(), true)
                        .wasOpen())
                .isFalse();
        assertThat(queue.pending()).isEqualTo(1);
    }

    @Test
    void shouldNotCommitWhatIsOlderThanTheTransactionThatIsCommitted() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        pend(queue, 3);

        ProducerIdentity later = TRANSACTION.bumped();
        assertThat(partition.cursors.transactions().end(later, later.bumped(), true))
                .isEqualTo(new PendingTransactions.Ended(true, true, 0));
        assertThat(queue.isAcknowledged(0)).isFalse();
        assertThat(queue.pending()).isZero();
    }

    @Test
    void shouldKnowATransactionWhoseCursorsAreGone() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        partition.queue(10);
        Cursor inMemory = partition.cursors.createNonDurable(SUBSCRIPTION, 0);
        pend(inMemory, 3);
        partition.turn();

        partition.cursors.delete(SUBSCRIPTION);

        assertThat(partition.cursors.transactions().open(7)).contains(TRANSACTION);
        assertThat(partition.cursors.transactions().end(TRANSACTION, TRANSACTION, true))
                .isEqualTo(new PendingTransactions.Ended(true, false, 0));
        assertThat(partition.turn()).isEmpty();
    }

    @Test
    void shouldCommitInACursorInMemoryWithoutWriting() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        partition.queue(10);
        Cursor inMemory = partition.cursors.createNonDurable(SUBSCRIPTION, 0);
        pend(inMemory, 3);

        assertThat(partition.cursors.transactions().end(TRANSACTION, TRANSACTION, true))
                .isEqualTo(new PendingTransactions.Ended(true, false, 3));
        assertThat(inMemory.earliestNeededOffset()).isEqualTo(3);
        assertThat(partition.turn()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsPendingBelowAMove() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        Cursor queue = partition.queue(10);
        pend(queue, 4);

        queue.moveTo(2);
        partition.cursors.transactions().end(TRANSACTION, TRANSACTION, false);

        assertThat(queue.candidates(0, 10)).containsExactly(new OffsetRange(2, 4), new OffsetRange(4, 10));
    }

    @Test
    void shouldCountNothingThatIsPendingAgainstTheWindow() {
        LedPartition partition = new LedPartition(new CursorLimits(4, 50));
        Cursor queue = partition.queue(20);

        pend(queue, 4);

        assertThat(queue.candidates(0, 10)).containsExactly(new OffsetRange(4, 8));
    }

    private static void pend(Cursor cursor, int records) {
        cursor.attach(ALICE);
        Acquisition acquisition = cursor.acquire(ALICE, records).orElseThrow();
        AcknowledgeResult result = cursor.acknowledgePending(
                ALICE,
                acquisition.id(),
                List.of(OffsetRange.ofCount(acquisition.grants().getFirst().firstOffset(), records)),
                TRANSACTION);
        assertThat(result).isEqualTo(new AcknowledgeResult(records, List.of()));
    }
}
