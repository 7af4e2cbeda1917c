package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Cursors of several partitions that share the memory for what they have lent. */
class LendingMemoryTest {

    private static final int RUNS = 1_000;
    private static final ConsumerKey CONSUMER = new ConsumerKey(new UUID(0, 1), 1);

    private final List<String> told = new ArrayList<>();
    private final LendingMemory memory =
            new LendingMemory((long) RUNS * LendingMemory.RUN_BYTES, new LendingMemory.Listener() {
                @Override
                public void onFull(long usedBytes, long limitBytes) {
                    told.add("full");
                }

                @Override
                public void onRoom(long usedBytes, long limitBytes) {
                    told.add("room");
                }
            });

    /** A partition of its own, with a queue of many messages and a consumer. */
    private Cursor queue() {
        return queue(partition());
    }

    private PartitionCursors partition() {
        PartitionCursors cursors = new PartitionCursors(CursorLimits.DEFAULT, memory);
        cursors.lead(new LeaderTerm(0, 1), LeaderStart.COMPLETE, 0);
        cursors.onHighWatermark(100_000);
        return cursors;
    }

    private static Cursor queue(PartitionCursors cursors) {
        Cursor cursor = cursors.createNonDurable(CursorId.QUEUE, 0);
        cursor.attach(CONSUMER);
        return cursor;
    }

    /** Has a cursor lend one message at a time for as long as it can, and returns the acquisitions. */
    private static List<Acquisition> hoard(Cursor cursor) {
        List<Acquisition> acquisitions = new ArrayList<>();
        cursor.acquire(CONSUMER, 1).ifPresent(acquisitions::add);
        while (acquisitions.size() < 50_000) {
            int before = acquisitions.size();
            cursor.acquire(CONSUMER, 1).ifPresent(acquisitions::add);
            if (acquisitions.size() == before) {
                break;
            }
        }
        return acquisitions;
    }

    private static void acknowledge(Cursor cursor, Acquisition acquisition) {
        Grant grant = acquisition.grants().getFirst();
        cursor.acknowledge(
                CONSUMER, acquisition.id(), List.of(new OffsetRange(grant.firstOffset(), grant.endOffset())));
    }

    @Test
    void shouldGiveOneCursorAFifthOfAllAndTheNextOnesAFifthOfTheRest() {
        assertThat(hoard(queue())).hasSize(200);
        assertThat(hoard(queue())).hasSize(160);
        assertThat(hoard(queue())).hasSize(128);
        assertThat(memory.usedBytes()).isEqualTo(488L * LendingMemory.RUN_BYTES);
        assertThat(told).containsExactly("full");
    }

    @Test
    void shouldAlwaysAllowAFewWhateverOthersHold() {
        for (int i = 0; i < 100; i++) {
            assertThat(hoard(queue())).hasSizeGreaterThanOrEqualTo(LendingMemory.RUNS_FOR_EACH);
        }
        Cursor good = queue();
        for (int i = 0; i < 1_000; i++) {
            acknowledge(good, good.acquire(CONSUMER, 1).orElseThrow());
        }

        assertThat(memory.usedBytes())
                .isLessThan((long) (RUNS + 100 * LendingMemory.RUNS_FOR_EACH) * LendingMemory.RUN_BYTES);
    }

    @Test
    void shouldCountADeliveryOfManyMessagesOnce() {
        Cursor queue = queue();
        Acquisition many = queue.acquire(CONSUMER, 10_000).orElseThrow();
        assertThat(memory.usedBytes()).isEqualTo(LendingMemory.RUN_BYTES);

        // A hole in it makes two of it.
        queue.acknowledge(CONSUMER, many.id(), List.of(OffsetRange.of(5_000)));
        assertThat(memory.usedBytes()).isEqualTo(2L * LendingMemory.RUN_BYTES);
        queue.acknowledge(CONSUMER, many.id(), List.of(new OffsetRange(0, 10_000)));
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldLetACursorGoOnWhenOthersGiveSomethingBack() {
        Cursor first = queue();
        Cursor second = queue();
        List<Acquisition> held = hoard(first);
        hoard(second);
        AtomicInteger woken = new AtomicInteger();
        assertThat(second.isShort()).isTrue();
        second.whenMoreMemory(woken::incrementAndGet);
        assertThat(memory.waiting()).isEqualTo(1);

        held.forEach(acquisition -> acknowledge(first, acquisition));

        assertThat(woken).hasValue(1);
        assertThat(memory.waiting()).isZero();
        assertThat(second.isShort()).isFalse();
        assertThat(second.acquire(CONSUMER, 1)).isPresent();
        // The second still holds much.
        assertThat(told).containsExactly("full");
    }

    @Test
    void shouldWakeWhoWaitsThoughOthersComeLater() {
        memory.add(RUNS);
        int wakeRuns = RUNS / 64 + 1;
        AtomicInteger woken = new AtomicInteger();
        memory.whenMore(woken::incrementAndGet);
        for (int back = 1; back < wakeRuns; back++) {
            memory.add(-1);
            memory.whenMore(() -> {});
        }
        assertThat(woken).hasValue(0);

        memory.add(-1);

        assertThat(woken).hasValue(1);
        assertThat(memory.waiting()).isZero();
    }

    @Test
    void shouldNotWakeAtOnceWhoWaitsAgain() {
        memory.add(RUNS);
        AtomicInteger woken = new AtomicInteger();
        Runnable again = new Runnable() {
            @Override
            public void run() {
                woken.incrementAndGet();
                memory.whenMore(this);
            }
        };
        memory.whenMore(again);
        memory.whenMore(() -> {});

        memory.add(-RUNS / 50);

        assertThat(woken).hasValue(1);
        assertThat(memory.waiting()).isEqualTo(1);
    }

    @Test
    void shouldGiveAllBackWhenTheConsumerIsGoneOrTheCursorOrThePartition() {
        Cursor left = queue();
        hoard(left);
        left.onConsumerGone(CONSUMER);
        assertThat(memory.usedBytes()).isZero();

        PartitionCursors partition = partition();
        hoard(queue(partition));
        partition.delete(CursorId.QUEUE);
        assertThat(memory.usedBytes()).isZero();

        hoard(queue(partition));
        assertThat(memory.usedBytes()).isPositive();
        partition.end();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldTakeBackWhatIsDroppedOrMoved() {
        Cursor queue = queue();
        queue.acquire(CONSUMER, 100);
        queue.acquire(CONSUMER, 100);
        queue.dropBelow(150);
        assertThat(queue.acquired()).isEqualTo(50);
        assertThat(memory.usedBytes()).isEqualTo(LendingMemory.RUN_BYTES);

        queue.moveTo(300);
        assertThat(queue.acquired()).isZero();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldForgetWhoNoLongerWaits() {
        List<String> woken = new ArrayList<>();
        Runnable gone = () -> woken.add("gone");
        memory.add(1_000);
        memory.whenMore(gone);
        memory.whenMore(() -> woken.add("there"));

        memory.whenMoreNoLonger(gone);
        assertThat(memory.waiting()).isEqualTo(1);
        memory.add(-1_000);

        assertThat(woken).containsExactly("there");
    }

    @Test
    void shouldNotCallItRoomWhileACursorAloneWouldWait() {
        long runs = memory.limitBytes() / LendingMemory.RUN_BYTES / 5;
        memory.add(runs);
        assertThat(memory.hasRoom(runs + 1)).isFalse();

        memory.add(-runs / 4);
        memory.add(runs / 4);
        assertThat(told).containsExactly("full");

        memory.add(-runs);
        assertThat(told).containsExactly("full", "room");
    }
}
