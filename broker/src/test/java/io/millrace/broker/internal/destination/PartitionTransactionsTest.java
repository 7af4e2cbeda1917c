package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.destination.SharedPartition.FirstAnswer;
import io.millrace.broker.internal.destination.TransactionalQueue.Client;
import io.millrace.broker.internal.destination.TransactionalQueue.Told;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a partition of a queue does with transactions, step by step. */
class PartitionTransactionsTest {

    private static final ProducerIdentity FIRST = new ProducerIdentity(71, (short) 3);
    private static final ProducerIdentity SECOND = new ProducerIdentity(72, (short) 0);

    private final TransactionalQueue queue = new TransactionalQueue();

    // ---- records --------------------------------------------------------------------------------------------------

    @Test
    void shouldPassOverWhatIsUndecidedAndDeliverItInItsPlaceOnceItIsCommitted() {
        Client client = queue.consumer();
        queue.send(2);
        queue.send(FIRST, 3);
        queue.send(2);

        assertThat(client.take()).isEqualTo(List.of(0L, 1L, 5L, 6L));
        assertThat(queue.queue().unacknowledged()).isEqualTo(4);
        assertThat(client.pull().result()).as("is there more").isFalse();

        Told told = queue.end(Part.DATA, FIRST, true);
        assertThat(told.written().result()).isTrue();
        assertThat(client.take()).isEqualTo(List.of(2L, 3L, 4L));
        assertThat(queue.partition().transactions().open(Part.DATA)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeverDeliverWhatWasRolledBackAlsoAfterARestart(boolean restart) {
        Client client = queue.consumer();
        queue.send(FIRST, 3);
        queue.send(SECOND, 1);
        queue.send(1);
        queue.end(Part.DATA, FIRST, false);
        queue.end(Part.DATA, SECOND, true);
        queue.pass(10);
        if (restart) {
            queue.restart(false);
            client = queue.consumer();
        }

        assertThat(client.take()).isEqualTo(List.of(3L, 4L));
        assertThat(queue.consumerFromStart().take()).as("another cursor").isEqualTo(List.of(3L, 4L));
        assertThat(queue.queue().startOffset()).isEqualTo(3);
        assertThat(client.pull().result()).isFalse();
    }

    @Test
    void shouldNotTakeItForKnownToTheCoordinatorWhatWasOpenBeforeARestart() {
        queue.send(FIRST, 1);
        assertThat(queue.partition().transactions().isRegistered(FIRST)).isFalse();
        queue.partition().transactions().onRegistered(FIRST);
        assertThat(queue.partition().transactions().isRegistered(FIRST)).isTrue();
        assertThat(queue.partition().transactions().isRegistered(FIRST.bumped()))
                .isFalse();

        queue.pass(60);
        queue.restart(true);
        assertThat(queue.partition().transactions().isOpen(FIRST)).isTrue();
        assertThat(queue.partition().transactions().isRegistered(FIRST))
                .as("the crash may have taken what the coordinator wrote about it")
                .isFalse();

        queue.partition().transactions().onRegistered(FIRST);
        queue.end(Part.DATA, FIRST, true);
        queue.send(FIRST.bumped(), 1);
        assertThat(queue.partition().transactions().isRegistered(FIRST.bumped()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKnowWhatIsUndecidedAfterARestart(boolean commit) {
        queue.send(FIRST, 1);
        queue.send(1);
        queue.send(FIRST, 2);
        queue.end(Part.DATA, SECOND, true);
        queue.restart(true);
        Client client = queue.consumer();
        queue.pass(10);

        assertThat(client.take()).isEqualTo(List.of(1L));
        assertThat(queue.partition().transactions().open(Part.DATA)).containsExactly(FIRST);
        assertThat(queue.partition().transactions().isOpen(FIRST)).isTrue();
        assertThat(queue.partition().transactions().isOpen(FIRST.bumped())).isFalse();
        assertThat(queue.queue().unacknowledged()).isEqualTo(1);

        queue.end(Part.DATA, FIRST, commit);
        assertThat(client.take()).isEqualTo(commit ? List.of(0L, 2L, 3L) : List.of());
        assertThat(client.pull().result()).isFalse();
    }

    @Test
    void shouldSecureRecordsOnceTheyAreBelowTheHighWatermark() {
        queue.send(FIRST, 1);
        assertThat(queue.secure(Part.DATA, SECOND).result()).isFalse();
        assertThat(queue.secure(Part.DATA, FIRST.bumped()).result()).isFalse();
        assertThat(queue.secure(Part.DATA, FIRST).result()).as("answered sends").isTrue();

        queue.append(FIRST, true, 2);
        FirstAnswer<Boolean> secured = queue.secure(Part.DATA, FIRST);
        queue.runTurns();
        assertThat(secured.isAnswered()).isFalse();
        queue.settle();
        assertThat(secured.result()).isTrue();
    }

    @Test
    void shouldEndAtOnceAndDurablyBeforeLong() {
        queue.send(FIRST, 1);

        Told told = queue.end(Part.DATA, FIRST, true);
        assertThat(told.written().result()).isTrue();
        queue.settle();
        assertThat(told.durable().isAnswered()).as("nobody is in a hurry").isFalse();
        queue.pass(10);
        assertThat(told.durable().result()).isTrue();

        Told again = queue.end(Part.DATA, FIRST, true);
        assertThat(again.written().result()).as("told once more").isFalse();
        assertThat(again.durable().result()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void shouldNotTakeAnEndForDurableThatIsThereAndNotSynced(Part part) {
        Client client = queue.consumer();
        queue.send(2);
        client.take();
        client.acknowledge(FIRST, 0, 1);
        queue.send(FIRST, 1);
        queue.pass(100);
        queue.end(part, FIRST, true);
        queue.runTurns();

        Told again = queue.end(part, FIRST, true);
        queue.runTurns();
        assertThat(again.written().result()).isFalse();
        assertThat(again.durable().isAnswered()).isFalse();
        // What was written in the turn that began to wait is synced after the second wait.
        queue.pass(5);
        queue.pass(5);
        assertThat(again.durable().result()).isFalse();
        queue.restart(true);
        assertThat(queue.partition().transactions().open(part)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoByMarkersThatTheBrokerAppendsAmongItsOwnBatches(boolean commit) {
        Client client = queue.consumer();
        queue.send(FIRST, 2);
        ByteBuffer marker = new RecordBatchBuilder(200, 200)
                .appendEndTransaction(0, commit ? EndTransactionMarker.commit(1) : EndTransactionMarker.abort(1))
                .producer(FIRST.id(), FIRST.epoch(), RecordBatch.NO_SEQUENCE)
                .build();
        FirstAnswer<Long> appended = new FirstAnswer<>();
        queue.partition().appendOwn(marker, appended);

        assertThat(appended.result()).isEqualTo(3);
        assertThat(client.take()).isEqualTo(commit ? List.of(0L, 1L) : List.of());
        assertThat(queue.queue().unacknowledged()).isEqualTo(commit ? 2 : 0);
    }

    @Test
    void shouldLeaveALaterTransactionAloneWhenAnEndComesLate() {
        Client client = queue.consumer();
        queue.send(FIRST, 1);
        queue.end(Part.DATA, FIRST, false);
        queue.send(FIRST.bumped(), 1);

        assertThat(queue.end(Part.DATA, FIRST, true).written().result()).isFalse();

        assertThat(queue.partition().transactions().isOpen(FIRST.bumped())).isTrue();
        assertThat(client.take()).isEmpty();
    }

    @Test
    void shouldRollBackWhatABatchOfALaterEpochFindsOpen() {
        Client client = queue.consumer();
        queue.send(FIRST, 2);

        queue.send(FIRST.bumped(), 1);

        assertThat(queue.partition().transactions().open(Part.DATA)).containsExactly(FIRST.bumped());
        assertThat(queue.append(FIRST, true, 1).failure()).isEqualTo(ErrorCode.PRODUCER_FENCED);
        queue.end(Part.DATA, FIRST.bumped(), true);
        assertThat(client.take()).isEqualTo(List.of(3L));
    }

    @Test
    void shouldNotCommitWhatIsOlderThanTheTransactionThatIsCommitted() {
        Client client = queue.consumer();
        queue.send(FIRST, 2);

        assertThat(queue.end(Part.DATA, FIRST.bumped(), true).written().result())
                .isTrue();

        assertThat(client.take()).isEmpty();
        assertThat(queue.partition().transactions().open(Part.DATA)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void shouldAbandonWhatNobodyKnowsIfItIsThatVeryOne(Part part) {
        Client client = queue.consumer();
        queue.send(2);
        client.take();
        queue.send(FIRST, 1);
        client.acknowledge(FIRST, 0, 1);

        FirstAnswer<Boolean> other = new FirstAnswer<>();
        queue.partition().transactions().abandon(part, FIRST.bumped(), other);
        assertThat(other.result()).isFalse();
        FirstAnswer<Boolean> done = new FirstAnswer<>();
        queue.partition().transactions().abandon(part, FIRST, done);
        queue.settle();

        assertThat(done.result()).isTrue();
        assertThat(queue.partition().transactions().open(part)).isEmpty();
        assertThat(client.take()).isEqualTo(part == Part.DATA ? List.of() : List.of(0L, 1L));
    }

    // ---- acknowledgements -----------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCommitAcknowledgementsThatSurvivedARestart(boolean power) {
        Client client = queue.consumer();
        queue.send(4);
        client.take();
        assertThat(client.acknowledge(FIRST, 0, 2).result()).containsExactly(List.of());
        FirstAnswer<Boolean> secured = queue.secure(Part.CURSOR, FIRST);
        queue.settle();
        assertThat(secured.result()).isTrue();

        queue.restart(power);
        Client next = queue.consumer();
        queue.pass(10);
        assertThat(next.take()).isEqualTo(List.of(3L));
        assertThat(queue.partition().transactions().open(Part.CURSOR)).containsExactly(FIRST);

        Told told = queue.end(Part.CURSOR, FIRST, true);
        queue.runTurns();
        assertThat(told.written().result()).isTrue();
        assertThat(queue.queue().startOffset()).isEqualTo(3);
        queue.pass(10);
        assertThat(told.durable().result()).isTrue();
        assertThat(queue.partition().transactions().open(Part.CURSOR)).isEmpty();
    }

    @Test
    void shouldDeliverAgainWhatWasRolledBackWithItsCount() {
        Client client = queue.consumer();
        queue.send(3);
        client.take();
        client.acknowledge(FIRST, 0, 1);
        queue.partition().consumers().onSessionGone(client.key.sessionId());
        Client next = queue.consumer();
        assertThat(next.take()).isEqualTo(List.of(2L));

        queue.end(Part.CURSOR, FIRST, false);
        queue.settle();

        assertThat(next.got).isEqualTo(Map.of(0L, 2, 1L, 2));
    }

    @Test
    void shouldSayWhatItDoesNotTakeIntoATransaction() {
        Client client = queue.consumer();
        queue.send(3);
        client.take();
        client.acknowledge(FIRST, 0, 0);

        assertThat(client.acknowledge(SECOND, 0, 1).result()).containsExactly(List.of(new OffsetRange(0, 1)));
        queue.end(Part.CURSOR, SECOND, true);
        assertThat(client.acknowledge(SECOND, 2, 2).failure()).isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void shouldKnowATransactionOfAConsumerThatIsClosed() {
        Client client = queue.consumerFromStart();
        queue.send(3);
        client.take();
        client.acknowledge(FIRST, 0, 1);
        FirstAnswer<Boolean> closed = new FirstAnswer<>();
        queue.partition().consumers().close(client.key, closed);
        queue.settle();

        FirstAnswer<Boolean> secured = queue.secure(Part.CURSOR, FIRST);
        queue.settle();
        assertThat(secured.result()).isTrue();
        Told told = queue.end(Part.CURSOR, FIRST, true);
        queue.settle();
        assertThat(told.durable().result()).isTrue();
        assertThat(queue.secure(Part.CURSOR, FIRST).result()).isFalse();
    }

    @Test
    void shouldNotTakeAnEndForDurableThatIsToldWithinAnAnswer() {
        Client client = queue.consumer();
        queue.send(2);
        client.take();
        client.acknowledge(FIRST, 0, 1);
        List<Told> told = new ArrayList<>();
        queue.partition().transactions().secure(Part.CURSOR, FIRST, new Reply<>() {
            @Override
            public void onDone(Boolean secured) {
                told.add(queue.end(Part.CURSOR, FIRST, true));
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                throw new AssertionError(code + " " + message);
            }
        });
        queue.settle();

        assertThat(told.getFirst().written().result()).isTrue();
        assertThat(told.getFirst().durable().isAnswered()).isFalse();
        queue.restart(true);
        assertThat(queue.partition().transactions().open(Part.CURSOR)).containsExactly(FIRST);
    }

    // ---- what stays -----------------------------------------------------------------------------------------------

    @Test
    void shouldKeepUndecidedRecordsWhenAllAroundThemIsConsumed() {
        Client client = queue.consumer();
        queue.send(FIRST, 1);
        for (int i = 0; i < 100; i++) {
            queue.send(3);
            List<Long> got = client.take();
            FirstAnswer<List<List<OffsetRange>>> reply = new FirstAnswer<>();
            queue.partition()
                    .consumers()
                    .acknowledge(List.of(client.records(got.getFirst(), got.getLast())), true, reply);
            queue.settle();
        }
        queue.pass(2_000);
        queue.partition().retain();
        queue.pass(2_000);
        assertThat(queue.partition().segmentCount()).isGreaterThan(3);

        queue.end(Part.DATA, FIRST, true);
        assertThat(client.take()).isEqualTo(List.of(0L));
        FirstAnswer<List<List<OffsetRange>>> reply = new FirstAnswer<>();
        queue.partition().consumers().acknowledge(List.of(client.records(0, 0)), true, reply);
        queue.pass(2_000);
        queue.partition().retain();
        assertThat(queue.partition().segmentCount()).isLessThan(3);
    }

    @Test
    void shouldTellWhoWaitsForTheHighWatermarkWhenItGoesOffline() {
        queue.append(FIRST, true, 2);
        FirstAnswer<Boolean> secured = queue.secure(Part.DATA, FIRST);
        queue.partition().close();

        assertThat(secured.failure()).isNotNull();
        assertThat(queue.secure(Part.CURSOR, FIRST).failure()).isEqualTo(ErrorCode.SHUTTING_DOWN);
        assertThat(queue.partition().transactions().open(Part.DATA)).isEmpty();
        assertThat(queue.partition().transactions().isOpen(FIRST)).isFalse();
        assertThat(queue.end(Part.DATA, FIRST, true).durable().failure()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    }

    /** By that it is told from the next one, if its producer keeps its epoch. */
    @Test
    void shouldSayWhereAnOpenTransactionBegan() {
        queue.send(2);
        queue.send(FIRST, 1);
        assertThat(queue.partition().transactions().openSince(Part.DATA))
                .containsExactly(Map.entry(FIRST, OptionalLong.of(2)));
        assertThat(queue.partition().transactions().openSince(Part.CURSOR)).isEmpty();
    }
}
