package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.destination.SharedPartition.FirstAnswer;
import io.millrace.broker.internal.destination.SharedPartition.Lent;
import io.millrace.broker.internal.partition.DeadLetters;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.GivenUp;
import io.millrace.broker.internal.partition.GivenUp.Reason;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.broker.internal.partition.ShareConsumers.Taken;
import io.millrace.broker.internal.partition.ShareTerms;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Records that are given up stay where they are until it is certain what was written about them. */
class GivenUpRecordsTest {

    /** Dead letters that are written when the test says so. */
    private static final class Letters implements DeadLetters {
        private final List<List<GivenUp>> asked = new ArrayList<>();
        private CompletableFuture<Integer> writing = new CompletableFuture<>();

        @Override
        public boolean areWanted() {
            return true;
        }

        @Override
        public CompletionStage<Integer> write(Partition from, List<GivenUp> records) {
            asked.add(records);
            writing = new CompletableFuture<>();
            return writing;
        }
    }

    private final SharedPartition partition = new SharedPartition();
    private final ConsumerKey first = partition.member();
    private final ConsumerKey second = partition.member();
    private final Letters letters = new Letters();
    private final ShareTerms terms = SharedPartition.terms(2, letters);

    private Lent acquire(ConsumerKey member) {
        return partition.acquire(member, terms, 100, false);
    }

    private void written(int offsets) {
        letters.writing.complete(offsets);
        partition.settle();
    }

    private static GivenUp givenUp(long firstOffset, long endOffset, int deliveries, Reason reason) {
        return new GivenUp(new OffsetRange(firstOffset, endOffset), deliveries, reason);
    }

    @Test
    void shouldAnswerARejectionWhenItsLetterIsWritten() {
        partition.send(3);
        acquire(first);

        FirstAnswer<Taken> reply = partition.tell(first, Verdict.REJECT, 0, 0);
        partition.settle();

        assertThat(letters.asked).containsExactly(List.of(givenUp(0, 1, 1, Reason.REJECTED)));
        assertThat(reply.isAnswered()).isFalse();
        assertThat(partition.place().startOffset()).isZero();
        // It is nobody's meanwhile.
        assertThat(acquire(second).offsets()).isEmpty();
        assertThat(partition.say(first, Verdict.ACCEPT, 0, 0)).isFalse();
        partition.pass(SharedPartition.LOCK_MS * 2);
        assertThat(acquire(second).offsets()).containsExactly(1L, 2L);

        written(1);

        assertThat(reply.result()).isEqualTo(Taken.ALL);
        assertThat(partition.place().startOffset()).isEqualTo(1);
    }

    @Test
    void shouldLendAgainWhatWasRejectedWhenTheBrokerDiesBeforeItsLetterIsWritten() {
        partition.send(1);
        acquire(first);
        FirstAnswer<Taken> reply = partition.tell(first, Verdict.REJECT, 0, 0);

        partition.restart();

        assertThat(reply.isAnswered()).isFalse();
        assertThat(acquire(second).counts()).isEqualTo(Map.of(0L, 2));
    }

    @Test
    void shouldGiveUpWhatWasTriedOftenEnoughBeforeABrokerDied() {
        partition.send(2);
        acquire(first);
        partition.say(first, Verdict.RELEASE, 0, 0);
        acquire(first);

        partition.restart();

        assertThat(acquire(second).counts()).isEqualTo(Map.of(1L, 2));
        assertThat(letters.asked).containsExactly(List.of(givenUp(0, 1, 2, Reason.DELIVERED_TOO_OFTEN)));
        written(1);
        assertThat(partition.place().startOffset()).isEqualTo(1);
    }

    @Test
    void shouldGoOnToLookBehindWhatItGivesUp() {
        partition.send(2);
        acquire(first);
        partition.say(first, Verdict.RELEASE, 0, 1);
        acquire(first);
        partition.restart();
        partition.send(1);

        assertThat(partition.acquire(second, terms, 1, true).offsets()).containsExactly(2L);
        assertThat(letters.asked.getFirst().getFirst().range().firstOffset()).isZero();
        written(1);
        written(1);
        assertThat(partition.place().startOffset()).isEqualTo(2);
    }

    @Test
    void shouldGiveUpWhatJmsConsumersTriedOftenEnough() {
        partition.send(1);
        for (int delivery = 1; delivery <= 3; delivery++) {
            ConsumerKey jms = partition.member();
            List<Delivery> deliveries = partition.consumeByJms(jms, 1);
            assertThat(deliveries).hasSize(1);
            partition.partition().consumers().onSessionGone(jms.sessionId());
            partition.settle();
        }

        assertThat(acquire(first).offsets()).isEmpty();

        assertThat(letters.asked).containsExactly(List.of(givenUp(0, 1, 3, Reason.DELIVERED_TOO_OFTEN)));
    }

    @Test
    void shouldWriteAboutAllThatWaitsAtATime() {
        partition.send(6);
        acquire(first);
        FirstAnswer<Taken> one = partition.tell(first, Verdict.REJECT, 0, 0);
        partition.settle();
        FirstAnswer<Taken> two = partition.tell(first, Verdict.REJECT, 2, 3);
        FirstAnswer<Taken> three = partition.tell(first, Verdict.REJECT, 5, 5);
        partition.settle();
        assertThat(letters.asked).hasSize(1);

        written(1);

        assertThat(one.isAnswered()).isTrue();
        assertThat(letters.asked.getLast())
                .containsExactly(givenUp(2, 4, 1, Reason.REJECTED), givenUp(5, 6, 1, Reason.REJECTED));
        // A part of it.
        written(1);
        assertThat(two.isAnswered()).isFalse();
        assertThat(letters.asked.getLast())
                .containsExactly(givenUp(3, 4, 1, Reason.REJECTED), givenUp(5, 6, 1, Reason.REJECTED));
        written(2);
        assertThat(two.isAnswered()).isTrue();
        assertThat(three.isAnswered()).isTrue();
        assertThat(partition.place().startOffset()).isEqualTo(1);
        assertThat(partition.place().acknowledgedBehind()).isEqualTo(3);
        assertThat(letters.asked).hasSize(3);
    }

    @Test
    void shouldWriteAboutWhatAMemberHadForTheLastTimeWhenItLeavesOrIsTooSlow() {
        partition.send(2);
        acquire(first);
        partition.say(first, Verdict.RELEASE, 0, 1);
        partition.acquire(first, terms, 1, true);
        partition.acquire(second, terms, 1, true);

        partition.leave(first);
        written(1);
        partition.pass(SharedPartition.LOCK_MS);
        written(1);

        assertThat(letters.asked)
                .containsExactly(
                        List.of(givenUp(0, 1, 2, Reason.DELIVERED_TOO_OFTEN)),
                        List.of(givenUp(1, 2, 2, Reason.DELIVERED_TOO_OFTEN)));
        assertThat(partition.place().startOffset()).isEqualTo(2);
    }

    @Test
    void shouldTellWhoWaitsForALetterWhenThePartitionCloses() {
        partition.send(1);
        acquire(first);
        FirstAnswer<Taken> reply = partition.tell(first, Verdict.REJECT, 0, 0);
        partition.settle();

        partition.partition().close();

        assertThat(reply.failure()).isEqualTo(ErrorCode.SHUTTING_DOWN);
        written(1);
    }

    @Test
    void shouldBearThatTheGroupIsDeletedMeanwhile() {
        partition.send(1);
        acquire(first);
        FirstAnswer<Taken> reply = partition.tell(first, Verdict.REJECT, 0, 0);
        partition.settle();
        partition.partition().cursors().delete(SharedPartition.GROUP, ErrorCode.SUBSCRIPTION_NOT_FOUND, "deleted");
        partition.settle();

        written(1);

        assertThat(reply.isAnswered()).isTrue();
        assertThat(partition.partition().snapshot().online()).isTrue();
    }
}
