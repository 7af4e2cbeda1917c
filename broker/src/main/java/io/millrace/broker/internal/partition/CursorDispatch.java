package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.Acquisition;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deals the records of one cursor out to its consumers, round-robin, against their credit. On the shard.
 *
 * <p>Each frame holds records of one batch for one consumer. While several consumers want records, nobody gets more than its share of
 * what is there at a time, so that a backlog does not end with whoever asked first.
 */
final class CursorDispatch {

    /** Records that a consumer gets at a time while others want some too. */
    private static final int MAX_SHARE = 256;

    /** A delivery that leaves when the turn's changes are in the cursor log. */
    record Outgoing(DeliverySink sink, Delivery delivery) {}

    /** A pull that waits until everything that was there when it came has been sent or found not to be covered by credit. */
    private record WaitingPull(ConsumerKey consumer, BooleanSupplier due, Reply<Boolean> reply) {}

    private final Cursor cursor;
    private final PartitionLog log;
    private final TransactionalRecords transactional;
    private final int leaderEpoch;
    private final BatchReader reader;
    private final Shard shard;
    private final TimeSource time;
    private final Runnable again;
    private final PartitionMetrics metrics;
    private final List<ConsumerState> consumers = new ArrayList<>();
    private final List<WaitingPull> pulls = new ArrayList<>();
    /** From any thread. */
    private final Runnable onMoreMemory;

    private int next;
    private boolean waitsForMemory;

    /**
     * Creates the dispatch of a cursor.
     *
     * @param shard runs what other threads report
     * @param again has the partition dispatch again when the next turn ends; on the shard
     */
    CursorDispatch(
            Cursor cursor,
            PartitionLog log,
            TransactionalRecords transactional,
            BatchReader reader,
            int leaderEpoch,
            Shard shard,
            Runnable again,
            PartitionMetrics metrics) {
        this.cursor = cursor;
        this.log = log;
        this.transactional = transactional;
        this.leaderEpoch = leaderEpoch;
        this.reader = reader;
        this.shard = shard;
        this.time = shard.time();
        this.again = again;
        this.metrics = metrics;
        this.onMoreMemory = () -> shard.execute(this::lookAgain);
    }

    Cursor cursor() {
        return cursor;
    }

    List<ConsumerState> consumers() {
        return consumers;
    }

    Optional<ConsumerState> consumer(ConsumerKey key) {
        return consumers.stream().filter(consumer -> consumer.key().equals(key)).findFirst();
    }

    void add(ConsumerState consumer) {
        consumers.add(consumer);
    }

    void remove(ConsumerKey key) {
        consumers.removeIf(consumer -> consumer.key().equals(key));
        if (consumers.isEmpty() && waitsForMemory) {
            waitsForMemory = false;
            cursor.whenMoreMemoryNoLonger(onMoreMemory);
        }
        answerPulls(pull -> pull.consumer.equals(key));
    }

    boolean isIdle() {
        return consumers.isEmpty();
    }

    /**
     * Asks to be told when everything available has been sent.
     *
     * @param due whether what was there at the time of asking may be dispatched by now
     * @param reply is told whether more is there than the consumer's credit covers
     */
    void pull(ConsumerKey consumer, BooleanSupplier due, Reply<Boolean> reply) {
        pulls.add(new WaitingPull(consumer, due, reply));
    }

    /**
     * Acquires what consumers want and can have.
     *
     * @param highWatermark end of what may be dispatched
     * @param maxBytes about how many bytes to send at most
     * @param out takes the deliveries
     * @return how much of the bytes is left; 0 or less if there is more to do at once
     */
    int dispatch(long highWatermark, int maxBytes, List<Outgoing> out) {
        int ready = countReady();
        if (ready == 0) {
            return maxBytes;
        }
        int share = ready == 1 ? Integer.MAX_VALUE : share(ready);
        int budget = maxBytes;
        for (ConsumerState consumer = nextReady(); consumer != null; consumer = nextReady()) {
            if (budget <= 0) {
                return budget;
            }
            List<OffsetRange> candidates = cursor.decidedCandidates(0, Math.min(consumer.messages(), share));
            if (candidates.isEmpty()) {
                reader.forget();
                awaitMemory();
                return budget;
            }
            Optional<RecordBatch> found = batchOf(candidates.getFirst(), highWatermark);
            if (found.isEmpty()) {
                return budget;
            }
            budget -= send(consumer, found.get(), candidates, out);
        }
        return Math.max(budget, 1);
    }

    /** Looks again when others have given memory back, if it is only that which the cursor lacks. */
    private void awaitMemory() {
        if (!waitsForMemory && cursor.isShort()) {
            waitsForMemory = true;
            cursor.whenMoreMemory(onMoreMemory);
        }
    }

    private void lookAgain() {
        waitsForMemory = false;
        again.run();
    }

    private int send(ConsumerState consumer, RecordBatch batch, List<OffsetRange> candidates, List<Outgoing> out) {
        OffsetRange first = candidates.getFirst();
        if (batch.baseOffset() > first.firstOffset()) {
            cursor.skip(new OffsetRange(first.firstOffset(), Math.min(first.endOffset(), batch.baseOffset())));
            return 1;
        }
        if (batch.isControl() || transactional.isAborted(batch)) {
            cursor.skip(new OffsetRange(first.firstOffset(), Math.min(first.endOffset(), batch.nextOffset())));
            return 1;
        }
        Selection selection = Selection.of(batch, candidates, consumer.bytes());
        selection.missing().forEach(cursor::skip);
        if (!selection.isEmpty()) {
            Acquisition acquisition = cursor.acquire(consumer.key(), selection.chosen());
            Delivery delivery = selection.toDelivery(leaderEpoch, acquisition);
            count(selection, acquisition, batch.maxTimestampMs());
            consumer.use(selection.count(), selection.bytes());
            consumer.sink().ifPresent(sink -> out.add(new Outgoing(sink, delivery)));
        }
        return 1 + selection.bytes();
    }

    private void count(Selection selection, Acquisition acquisition, long timestampMs) {
        int redelivered = 0;
        for (Grant grant : acquisition.grants()) {
            redelivered += grant.redelivered() ? grant.count() : 0;
        }
        metrics.onDelivered(selection.count(), redelivered, selection.bytes());
        if (redelivered < selection.count()) {
            metrics.shard().deliveryMs().record(time.wallClockMs() - timestampMs, selection.count() - redelivered);
        }
    }

    private Optional<RecordBatch> batchOf(OffsetRange candidate, long highWatermark) {
        if (candidate.firstOffset() < log.logStartOffset()) {
            cursor.dropBelow(log.logStartOffset());
            again.run();
            return Optional.empty();
        }
        return reader.find(candidate.firstOffset(), highWatermark);
    }

    private int share(int ready) {
        long available = cursor.depth() - cursor.acquired() - cursor.pending();
        return Math.clamp(available / ready, 1, MAX_SHARE);
    }

    private int countReady() {
        int count = 0;
        for (ConsumerState consumer : consumers) {
            if (isReady(consumer)) {
                count++;
            }
        }
        return count;
    }

    private @Nullable ConsumerState nextReady() {
        for (int i = 0; i < consumers.size(); i++) {
            next = next + 1 >= consumers.size() ? 0 : next + 1;
            if (isReady(consumers.get(next))) {
                return consumers.get(next);
            }
        }
        return null;
    }

    private boolean isReady(ConsumerState consumer) {
        return consumer.hasCredit()
                && consumer.isReady(() -> shard.execute(() -> {
                    consumer.sinkReady();
                    again.run();
                }));
    }

    /** Answers the pulls that are due, after a dispatch that left nothing undone. */
    void answerDuePulls() {
        if (!pulls.isEmpty()) {
            answerPulls(pull -> pull.due.getAsBoolean() && !reader.isLoading() && !isHeldUp(pull.consumer));
        }
    }

    private boolean isHeldUp(ConsumerKey key) {
        return consumer(key)
                        .filter(ConsumerState::hasCredit)
                        .filter(consumer -> !isReady(consumer))
                        .isPresent()
                && isMoreAvailable();
    }

    private void answerPulls(Predicate<WaitingPull> which) {
        for (Iterator<WaitingPull> all = pulls.iterator(); all.hasNext(); ) {
            WaitingPull pull = all.next();
            if (which.test(pull)) {
                all.remove();
                pull.reply.onDone(isMoreAvailable());
            }
        }
    }

    private boolean isMoreAvailable() {
        return !cursor.decidedCandidates(0, 1).isEmpty();
    }
}
