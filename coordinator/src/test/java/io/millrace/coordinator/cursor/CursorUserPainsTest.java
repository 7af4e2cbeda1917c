package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What users of other brokers suffered from, as far as cursors can do something about it. */
class CursorUserPainsTest {

    private static final ConsumerKey ANNA = new ConsumerKey(new UUID(1, 1), 1);
    private static final ConsumerKey BEN = new ConsumerKey(new UUID(2, 2), 1);

    private final LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
    private final Cursor cursor = partition.queue(30_000);

    CursorUserPainsTest() {
        cursor.attach(ANNA);
        cursor.attach(BEN);
    }

    /** Thousands of duplicates when a broker stops, since acknowledgements were in memory only. */
    @Test
    void shouldBringBackNoneOfTenThousandAcknowledgedOutOfOrderAfterAKill() {
        List<Long> shuffled = new ArrayList<>(NaiveCursor.offsets(List.of(new OffsetRange(0, 20_000))));
        Collections.shuffle(shuffled, new Random(7));
        Acquisition acquisition = acquireAll(20_000);
        for (long offset : shuffled.subList(0, 10_000)) {
            cursor.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(offset)));
        }
        partition.turn();

        Cursor afterKill = partition.killed().cursors.cursor(CursorId.QUEUE).orElseThrow();

        assertThat(NaiveCursor.offsets(afterKill.candidates(0, 10_000)))
                .containsExactlyElementsOf(
                        shuffled.subList(10_000, 20_000).stream().sorted().toList());
        assertThat(afterKill.depth()).isEqualTo(20_000);
    }

    /** The second consumer gets nothing: the first one prefetched all. */
    @Test
    void shouldGiveAnUnstartedPrefetchToAnotherConsumerAsAFirstDelivery() {
        Acquisition prefetched = cursor.acquire(ANNA, 100).orElseThrow();

        cursor.release(ANNA, prefetched.id(), List.of(new OffsetRange(40, 100)), false);

        assertThat(cursor.acquire(BEN, 60).orElseThrow().grants()).containsExactly(new Grant(40, 60, 1, false));
        assertThat(cursor.acquiredBy(ANNA)).isEqualTo(40);
    }

    /** A queue stops delivering because one consumer acknowledges nothing. */
    @Test
    void shouldLendNewRecordsWhileOneConsumerHoldsTenThousand() {
        assertThat(acquireAll(10_000).count()).isEqualTo(10_000);

        assertThat(cursor.acquire(BEN, 10).orElseThrow().grants()).containsExactly(new Grant(10_000, 10, 1, false));
    }

    /** Messages become stuck after acknowledgements out of order. */
    @Test
    void shouldShowANewConsumerEverythingThatIsLeft() {
        Acquisition acquisition = acquireAll(9_000);
        for (long offset = 8_999; offset > 0; offset -= 3) {
            cursor.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(offset)));
        }
        partition.cursors.onSessionGone(ANNA.sessionId());

        Acquisition left = cursor.acquire(BEN, 9_000).orElseThrow();

        assertThat(left.count()).isEqualTo(9_000);
        assertThat(left.grants().getFirst()).isEqualTo(new Grant(0, 2, 2, false));
        assertThat(left.grants().getLast()).isEqualTo(new Grant(9_000, 3_000, 1, false));
    }

    /** A consumer is stuck for ever when the unacknowledged records reach the limit. */
    @Test
    void shouldGoOnWhenTheHolderOfAFullWindowIsGone() {
        LedPartition small = new LedPartition(new CursorLimits(50, 100));
        Cursor queue = small.queue(1_000);
        queue.attach(ANNA);
        queue.attach(BEN);
        queue.acquire(ANNA, 50);
        assertThat(queue.acquire(BEN, 1)).isEmpty();

        small.cursors.onSessionGone(ANNA.sessionId());
        Acquisition freed = queue.acquire(BEN, 100).orElseThrow();

        assertThat(freed.grants()).containsExactly(new Grant(0, 50, 2, false));
        queue.acknowledge(BEN, freed.id(), List.of(new OffsetRange(0, 50)));
        assertThat(queue.acquire(BEN, 100).orElseThrow().grants()).containsExactly(new Grant(50, 50, 1, false));
    }

    /** As before, where what came back lies behind records that nobody has seen: the window must not block on itself. */
    @Test
    void shouldGoOnWhenAFullWindowOfReturnedRecordsLiesBehindUnseenOnes() {
        LedPartition small = new LedPartition(new CursorLimits(50, 100));
        Cursor queue = small.queue(100);
        queue.attach(ANNA);
        queue.acquire(ANNA, List.of(new OffsetRange(20, 70)));
        queue.onConsumerGone(ANNA);
        queue.attach(BEN);

        long consumed = 0;
        for (int turn = 0; turn < 100; turn++) {
            for (Acquisition lent : queue.acquire(BEN, 50).stream().toList()) {
                consumed += queue.acknowledge(BEN, lent.id(), List.of(new OffsetRange(0, 100)))
                        .acknowledged();
            }
            small.turn();
        }

        assertThat(consumed).isEqualTo(100);
        assertThat(queue.depth()).isZero();
    }

    /** After a crash the message says that it is a first delivery, or counts wrong. */
    @Test
    void shouldSayAfterAKillThatARecordIsDeliveredForTheSecondTime() {
        cursor.acquire(ANNA, 1);
        partition.turn();

        Cursor afterKill = partition.killed().cursors.cursor(CursorId.QUEUE).orElseThrow();
        afterKill.attach(ANNA);

        Grant redelivered = afterKill.acquire(ANNA, 1).orElseThrow().grants().getFirst();
        assertThat(redelivered.deliveryCount()).isEqualTo(2);
        assertThat(redelivered.redelivered()).isTrue();
        assertThat(redelivered.attempts()).isEqualTo(2);
    }

    /** Prefetched but unprocessed messages are taken for poison after a failover: a guess must never count. */
    @Test
    void shouldNotComeNearerToTheDeadLetterQueueByCrashesAlone() {
        LedPartition crashing = partition;
        for (int crash = 0; crash < 20; crash++) {
            crashing = crashing.crashed(LeaderStart.UNCERTAIN);
            Cursor queue = crashing.cursors.cursor(CursorId.QUEUE).orElseThrow();
            queue.attach(ANNA);
            Acquisition prefetched = queue.acquire(ANNA, 10).orElseThrow();

            assertThat(prefetched.grants()).allSatisfy(grant -> {
                assertThat(grant.attempts()).isEqualTo(1);
                assertThat(grant.deliveryCount()).isEqualTo(2);
            });
            // The machine stops before these deliveries are in the log.
        }
    }

    /** Offline subscriptions cost memory and disk for each message that they miss. */
    @Test
    void shouldWriteNothingForSubscriptionsThatAreOffline() {
        for (int subscription = 1; subscription <= 1_000; subscription++) {
            partition.cursors.create(new CursorId(new UUID(5, subscription)), 0);
        }
        partition.turn();

        for (long records = 30_000; records < 130_000; records += 1_000) {
            partition.cursors.onHighWatermark(records);
            assertThat(partition.turn()).isEmpty();
        }
        assertThat(partition.cursors.cursors())
                .allSatisfy(offline -> assertThat(offline.acquired()).isZero());
    }

    /** The log of acknowledgements grows with the number of messages, and eats the disk. */
    @Test
    void shouldHaveASmallImageHoweverManyRecordsWereAcknowledged() {
        partition.cursors.onHighWatermark(1_000_000);
        long consumed = 0;
        while (consumed < 1_000_000) {
            Acquisition acquisition = cursor.acquire(ANNA, 5_000).orElseThrow();
            consumed += cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(0, 1_000_000)))
                    .acknowledged();
            partition.turn();
        }

        int imageBytes = 0;
        for (CursorRecord record : partition.cursors.image()) {
            imageBytes += CursorRecordCodec.encodeKey(record).length + CursorRecordCodec.encodeValue(record).length;
        }
        assertThat(imageBytes).isLessThan(100);
    }

    private Acquisition acquireAll(int records) {
        List<OffsetRange> all = new ArrayList<>();
        long lent = 0;
        while (lent < records) {
            Acquisition acquisition = cursor.acquire(BEN, records).orElseThrow();
            cursor.release(BEN, acquisition.id(), List.of(new OffsetRange(0, 30_000)), false);
            partition.turn();
            all.clear();
            all.addAll(cursor.candidates(0, records));
            lent = all.stream().mapToLong(OffsetRange::count).sum();
        }
        return cursor.acquire(ANNA, all);
    }
}
