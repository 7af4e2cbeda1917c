package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.destination.SharedPartition.FirstAnswer;
import io.millrace.broker.internal.destination.SharedPartition.Lent;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.broker.internal.partition.ShareDelivery;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of the records that a share group is lent, step by step (KIP-932). */
class ShareConsumersTest {

    private final SharedPartition partition = new SharedPartition();
    private final ConsumerKey first = partition.member();
    private final ConsumerKey second = partition.member();

    @Test
    void shouldLendEachRecordToOneMemberAndNeverAgainOnceItWasAccepted() {
        partition.send(3);
        partition.send(3);

        assertThat(partition
                        .acquire(first, SharedPartition.terms(5, 100), 3, false)
                        .offsets())
                .containsExactly(0L, 1L, 2L);
        assertThat(partition.acquire(second).offsets()).containsExactly(3L, 4L, 5L);
        assertThat(partition.acquire(first).offsets()).isEmpty();

        assertThat(partition.say(second, Verdict.ACCEPT, 3, 5)).isTrue();
        assertThat(partition.place().startOffset()).isZero();
        assertThat(partition.place().acknowledgedBehind()).isEqualTo(3);
        assertThat(partition.say(first, Verdict.ACCEPT, 0, 2)).isTrue();
        assertThat(partition.place().startOffset()).isEqualTo(6);
        partition.pass(SharedPartition.LOCK_MS * 2);
        assertThat(partition.acquire(first).offsets()).isEmpty();
    }

    @Test
    void shouldLendAgainWhatWasReleasedAndCountIt() {
        partition.send(4);
        partition.acquire(first);

        partition.say(first, Verdict.RELEASE, 1, 2);

        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(1L, 2, 2L, 2));
        partition.say(second, Verdict.RELEASE, 2, 2);
        assertThat(partition.acquire(first).counts()).isEqualTo(Map.of(2L, 3));
    }

    @Test
    void shouldNotLendAgainWhatWasRejected() {
        partition.send(2);
        partition.acquire(first);

        partition.say(first, Verdict.REJECT, 0, 0);
        partition.say(first, Verdict.RELEASE, 1, 1);

        assertThat(partition.acquire(first).offsets()).containsExactly(1L);
        assertThat(partition.place().startOffset()).isEqualTo(1);
    }

    @Test
    void shouldGiveToOthersWhatWasKeptForTooLongAndRefuseTheLateAcknowledgement() {
        partition.send(2);
        partition.acquire(first);
        partition.pass(SharedPartition.LOCK_MS - 1);
        assertThat(partition.acquire(second).offsets()).isEmpty();

        partition.pass(1);

        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(0L, 2, 1L, 2));
        assertThat(partition.say(first, Verdict.ACCEPT, 0, 1)).isFalse();
        assertThat(partition.say(second, Verdict.ACCEPT, 0, 1)).isTrue();
    }

    @Test
    void shouldLetAMemberKeepWhatItRenewsOnlyThat() {
        partition.send(2);
        partition.acquire(first);
        partition.pass(SharedPartition.LOCK_MS - 10);

        assertThat(partition.say(first, Verdict.RENEW, 1, 1)).isTrue();
        partition.pass(10);

        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(0L, 2));
        partition.pass(SharedPartition.LOCK_MS - 20);
        assertThat(partition.acquire(second).offsets()).isEmpty();
        partition.pass(10);
        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(1L, 2));
    }

    @Test
    void shouldTakeBackWhatAMemberHoldsWhenItLeaves() {
        partition.send(3);
        partition.acquire(first);
        partition.say(first, Verdict.ACCEPT, 1, 1);

        partition.leave(first);

        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(0L, 2, 2L, 2));
    }

    @Test
    void shouldGiveUpARecordThatWasDeliveredOftenEnoughHoweverItCameBack() {
        partition.send(1);
        for (int delivery = 1; delivery <= 3; delivery++) {
            Lent lent = partition.acquire(first, SharedPartition.terms(3, 100), 10, false);
            assertThat(lent.counts()).isEqualTo(Map.of(0L, delivery));
            switch (delivery) {
                case 1 -> partition.say(first, Verdict.RELEASE, 0, 0);
                case 2 -> partition.pass(SharedPartition.LOCK_MS);
                default -> partition.leave(first);
            }
        }

        assertThat(partition.acquire(second).offsets()).isEmpty();
        assertThat(partition.place().startOffset()).isEqualTo(1);
    }

    /** One that kills its consumers must not have all others given up that were lent with it. */
    @Test
    void shouldLendFewerAtATimeTheMoreOftenTheyFailed() {
        partition.send(8);
        List<Integer> portions = new ArrayList<>();
        List<Long> givenUp = new ArrayList<>();
        while (partition.place().startOffset() < 8) {
            List<Long> lent = partition.acquire(first).offsets();
            portions.add(lent.size());
            boolean poisonous = lent.contains(5L);
            if (!poisonous && lent.size() == 1) {
                partition.say(first, Verdict.ACCEPT, lent.getFirst(), lent.getFirst());
            } else {
                if (poisonous && lent.size() == 1) {
                    givenUp.add(5L);
                }
                // It dies.
                partition.leave(first);
            }
        }

        // Three times all eight, then halves, then alone.
        assertThat(portions).containsExactly(8, 8, 8, 4, 1, 1, 1, 1, 2, 1, 1, 1, 1);
        assertThat(givenUp).containsExactly(5L);
    }

    @Test
    void shouldLendFreshRecordsBesideThoseThatFailedOften() {
        partition.send(1);
        for (int i = 0; i < 4; i++) {
            assertThat(partition.acquire(first).offsets()).containsExactly(0L);
            partition.say(first, Verdict.RELEASE, 0, 0);
        }
        partition.send(2);

        assertThat(partition.acquire(first).counts()).isEqualTo(Map.of(0L, 5));
        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(1L, 1, 2L, 1));
    }

    @Test
    void shouldHaveOnlySoManyRecordsOut() {
        partition.send(10);

        assertThat(partition
                        .acquire(first, SharedPartition.terms(5, 4), 10, false)
                        .offsets())
                .containsExactly(0L, 1L, 2L, 3L);
        assertThat(partition
                        .acquire(second, SharedPartition.terms(5, 4), 10, false)
                        .offsets())
                .isEmpty();
        partition.say(first, Verdict.ACCEPT, 1, 1);
        assertThat(partition
                        .acquire(second, SharedPartition.terms(5, 4), 10, false)
                        .offsets())
                .containsExactly(4L);
    }

    @Test
    void shouldLendWholeBatchesUnlessTheMemberLimitsRecords() {
        partition.send(5);
        partition.send(5);

        assertThat(partition
                        .acquire(first, SharedPartition.terms(5, 100), 2, true)
                        .offsets())
                .containsExactly(0L, 1L);
        assertThat(partition
                        .acquire(second, SharedPartition.terms(5, 100), 2, false)
                        .offsets())
                .containsExactly(2L, 3L, 4L);
    }

    @Test
    void shouldTakeAllOfWhatAMemberSaysOrNothing() {
        partition.send(4);
        partition.acquire(first, SharedPartition.terms(5, 100), 2, true);
        partition.acquire(second, SharedPartition.terms(5, 100), 2, true);

        assertThat(partition.say(first, Verdict.ACCEPT, 0, 2)).isFalse();

        assertThat(partition.say(second, Verdict.ACCEPT, 2, 3)).isTrue();
        assertThat(partition.place().startOffset()).isZero();
        assertThat(partition.say(first, Verdict.ACCEPT, 0, 1)).isTrue();
    }

    @Test
    void shouldHaveNothingAgainstAcknowledgementsOfWhatTheGroupHasBehindIt() {
        partition.send(4);
        partition.acquire(first);
        partition.say(first, Verdict.ACCEPT, 0, 1);

        assertThat(partition.say(first, Verdict.ACCEPT, 0, 1)).isTrue();
        assertThat(partition.say(second, Verdict.REJECT, 0, 1)).isTrue();
        assertThat(partition.say(first, Verdict.ACCEPT, 0, 3)).isTrue();
        assertThat(partition.say(first, Verdict.ACCEPT, 4, 4)).isFalse();
    }

    @Test
    void shouldGoOnBehindWhatWasRemovedWhileAMemberHeldIt() {
        partition.send(4);
        partition.acquire(first);

        FirstAnswer<Long> removed = new FirstAnswer<>();
        partition.partition().removals().deleteRecords(3, removed);
        partition.settle();

        assertThat(removed.result()).isEqualTo(3);
        assertThat(partition.place().startOffset()).isEqualTo(3);
        assertThat(partition.say(first, Verdict.RELEASE, 0, 3)).isTrue();
        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(3L, 2));
    }

    @Test
    void shouldKnowAfterARestartWhatWasAcceptedAndHowOftenTheRestWasDelivered() {
        partition.send(4);
        partition.acquire(first);
        partition.say(first, Verdict.ACCEPT, 0, 0);
        partition.say(first, Verdict.ACCEPT, 2, 2);
        partition.say(first, Verdict.RELEASE, 1, 1);
        partition.acquire(second);

        partition.restart();

        assertThat(partition.say(first, Verdict.ACCEPT, 3, 3)).isFalse();
        assertThat(partition.acquire(second).counts()).isEqualTo(Map.of(1L, 3, 3L, 2));
    }

    @Test
    void shouldShareACursorWithJmsConsumers() {
        partition.send(3);
        assertThat(partition
                        .acquire(first, SharedPartition.terms(5, 100), 1, true)
                        .offsets())
                .containsExactly(0L);

        ConsumerKey jms = partition.member();
        List<Delivery> deliveries = partition.consumeByJms(jms, 1);
        assertThat(deliveries).hasSize(1);
        assertThat(firstOffset(deliveries.getFirst())).isEqualTo(1);

        assertThat(partition.acquire(second).offsets()).containsExactly(2L);
        partition.say(second, Verdict.RELEASE, 2, 2);
        partition.partition().consumers().addCredit(jms, 5, 1 << 20);
        partition.settle();
        assertThat(firstOffset(deliveries.getLast())).isEqualTo(2);
        assertThat(deliveries.getLast().entries().deliveryCount(0)).isEqualTo(2);
    }

    @Test
    void shouldLendWhatHasToBeReadFromTheDisk() {
        SharedPartition cold = coldPartition();
        ConsumerKey member = cold.member();

        Lent lent = cold.acquire(member, SharedPartition.terms(5, 100), 1, false);

        assertThat(lent.offsets()).containsExactly(0L);
    }

    /** Two wait for the same read: what the first was lent the other is not. */
    @Test
    void shouldLendOnceWhatTwoReadFromTheDisk() {
        SharedPartition cold = coldPartition();
        ConsumerKey one = cold.member();
        ConsumerKey other = cold.member();
        cold.acquire(one, SharedPartition.terms(5, 100), 1, true);
        FirstAnswer<ShareDelivery> toOne = cold.ask(one, SharedPartition.terms(5, 100), 1, true);
        FirstAnswer<ShareDelivery> toOther = cold.ask(other, SharedPartition.terms(5, 100), 1, true);
        // What is before the place that is being read comes back meanwhile.
        cold.partition().shares().leave(SharedPartition.GROUP, one);
        cold.settle();

        List<Long> offsets = new ArrayList<>(SharedPartition.lent(toOne).offsets());
        offsets.addAll(SharedPartition.lent(toOther).offsets());
        assertThat(offsets).doesNotHaveDuplicates();
        assertThat(cold.place().startOffset()).isZero();
    }

    @Test
    void shouldAnswerWhoWaitsForTheDiskWhenThePartitionCloses() {
        SharedPartition cold = coldPartition();
        ConsumerKey member = cold.member();
        cold.acquire(member, SharedPartition.terms(5, 100), 1, true);
        FirstAnswer<ShareDelivery> waiting = cold.ask(member, SharedPartition.terms(5, 100), 1, true);
        cold.settleWithoutIo();
        assertThat(waiting.isAnswered()).isFalse();

        cold.partition().close();

        assertThat(waiting.failure()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    }

    @Test
    void shouldAnswerWhoWaitsForTheDiskWhenTheGroupIsDeletedMeanwhile() {
        SharedPartition cold = coldPartition();
        ConsumerKey member = cold.member();
        cold.acquire(member, SharedPartition.terms(5, 100), 1, true);
        FirstAnswer<ShareDelivery> waiting = cold.ask(member, SharedPartition.terms(5, 100), 1, true);
        cold.partition().cursors().delete(SharedPartition.GROUP, ErrorCode.SUBSCRIPTION_NOT_FOUND, "deleted");

        cold.settle();

        assertThat(waiting.failure()).isEqualTo(ErrorCode.SUBSCRIPTION_NOT_FOUND);
        assertThat(cold.partition().snapshot().online()).isTrue();
    }

    /** A member that waits has nothing else that would tell it. */
    @Test
    void shouldHaveMembersLookAgainWhenTheMemoryForWhatIsLentIsFreeAgain() {
        LendingMemory memory = new LendingMemory(100L * LendingMemory.RUN_BYTES, new LendingMemory.Listener() {
            @Override
            public void onFull(long usedBytes, long limitBytes) {}

            @Override
            public void onRoom(long usedBytes, long limitBytes) {}
        });
        SharedPartition greedy = new SharedPartition(memory);
        SharedPartition other = new SharedPartition(memory);
        List<SharedPartition> both = List.of(greedy, other);
        ConsumerKey member = greedy.member();
        both.forEach(each -> {
            each.send(60);
            while (!each.acquire(member, SharedPartition.terms(5, 100), 1, true)
                    .offsets()
                    .isEmpty()) {
                assertThat(memory.usedBytes()).isLessThan(memory.limitBytes());
            }
        });
        AtomicInteger looks = new AtomicInteger();
        other.partition().watchShares(looks::incrementAndGet);
        other.settle();
        assertThat(looks).hasValue(0);

        greedy.leave(member);
        other.settle();

        assertThat(looks).hasPositiveValue();
        other.leave(member);
        assertThat(other.acquire(second).offsets()).hasSize(60);
    }

    private static long firstOffset(Delivery delivery) {
        return delivery.baseOffset() + delivery.entries().offsetDelta(0);
    }

    private static SharedPartition coldPartition() {
        SharedPartition cold =
                new SharedPartition(Map.of("log.reserve.bytes", "0", "log.segment.bytes", "4000"), 6_000);
        for (int i = 0; i < 20; i++) {
            cold.send(1, 1_500);
        }
        return cold;
    }

    @Test
    void shouldLendUndecidedRecordsToMembersThatWantThemAndToNoJmsConsumer() {
        ProducerIdentity transaction = new ProducerIdentity(5, (short) 0);
        partition.send(1);
        partition.send(transaction, 2);
        assertThat(partition.acquire(first).offsets())
                .as("who reads uncommitted")
                .containsExactly(0L, 1L, 2L);
        partition.say(first, Verdict.RELEASE, 1, 2);

        List<Delivery> jms = partition.consumeByJms(partition.member(), 100);
        partition.send(1);
        assertThat(jms.stream().map(Delivery::baseOffset)).containsExactly(3L);

        partition.end(transaction, true);
        assertThat(jms.stream().map(Delivery::baseOffset)).containsExactly(3L, 1L);
    }
}
