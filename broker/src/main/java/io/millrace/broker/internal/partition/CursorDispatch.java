package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.wire.record.RecordBatch;
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
    private final CursorBatches batches;
    private final BatchReader reader;
    private final Lender lender;
    private final SelectiveDispatch selective;
    private final Shard shard;
    private final Runnable again;
    private final List<ConsumerState> consumers = new ArrayList<>();
    private final List<WaitingPull> pulls = new ArrayList<>();
    /** From any thread. */
    private final Runnable onMoreMemory;

    private int next;
    /** Whether there is nothing in this dispatch for consumers that take everything. */
    private boolean unselectiveSated;

    private boolean waitsForMemory;

    /**
     * Creates the dispatch of a cursor.
     *
     * @param reader for consumers that take everything
     * @param selective for the others
     * @param shard runs what other threads report
     * @param again has the partition dispatch again when the next turn ends; on the shard
     */
    CursorDispatch(
            Cursor cursor,
            CursorBatches batches,
            BatchReader reader,
            Lender lender,
            SelectiveDispatch selective,
            Shard shard,
            Runnable again) {
        this.cursor = cursor;
        this.batches = batches;
        this.reader = reader;
        this.lender = lender;
        this.selective = selective;
        this.shard = shard;
        this.again = again;
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

    ConsumerState add(ConsumerKey key, DeliverySink sink, Optional<ConsumerFilter> filter) {
        ConsumerState consumer =
                new ConsumerState(key, sink, filter.map(selective::join).orElse(null));
        consumers.add(consumer);
        return consumer;
    }

    void remove(ConsumerKey key) {
        consumer(key).map(ConsumerState::scan).ifPresent(selective::leave);
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
        unselectiveSated = false;
        for (ConsumerState consumer = nextReady(); consumer != null; consumer = nextReady()) {
            if (budget <= 0) {
                return budget;
            }
            int maxRecords = Math.min(consumer.messages(), share);
            SelectiveScan scan = consumer.scan();
            if (scan == null) {
                int cost = dispatchUnselective(consumer, maxRecords, highWatermark, out);
                unselectiveSated = cost == 0;
                budget -= cost;
            } else {
                budget -= dispatchSelective(consumer, scan, maxRecords, highWatermark, out);
            }
        }
        return Math.max(budget, 1);
    }

    /** Returns what it costs of the bytes, or 0 if there is nothing now. */
    private int dispatchUnselective(ConsumerState consumer, int maxRecords, long highWatermark, List<Outgoing> out) {
        List<OffsetRange> candidates = cursor.decidedCandidates(0, maxRecords);
        if (candidates.isEmpty()) {
            reader.forget();
            awaitMemory();
            return 0;
        }
        return batches.find(reader, candidates.getFirst(), highWatermark)
                .map(batch -> send(consumer, batch, candidates, out))
                .orElse(0);
    }

    private int dispatchSelective(
            ConsumerState consumer, SelectiveScan scan, int maxRecords, long highWatermark, List<Outgoing> out) {
        if (cursor.isShort()) {
            awaitMemory();
            consumer.setSated(true);
            return 0;
        }
        return selective.dispatch(consumer, scan, maxRecords, highWatermark, out);
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
        if (batches.takeOutEmpty(batch, candidates.getFirst())
                > candidates.getFirst().firstOffset()) {
            return 1;
        }
        Selection selection = Selection.of(batch, candidates, consumer.bytes());
        selection.missing().forEach(cursor::skip);
        if (!selection.isEmpty()) {
            lender.lend(consumer, batch, selection, out);
        }
        return 1 + selection.bytes();
    }

    private int share(int ready) {
        long available = cursor.depth() - cursor.acquired() - cursor.pending();
        return Math.clamp(available / ready, 1, MAX_SHARE);
    }

    private int countReady() {
        int count = 0;
        for (ConsumerState consumer : consumers) {
            if (isReady(consumer)) {
                consumer.setSated(false);
                count++;
            }
        }
        return count;
    }

    private @Nullable ConsumerState nextReady() {
        for (int i = 0; i < consumers.size(); i++) {
            next = next + 1 >= consumers.size() ? 0 : next + 1;
            ConsumerState consumer = consumers.get(next);
            boolean sated = consumer.scan() == null ? unselectiveSated : consumer.isSated();
            if (!sated && isReady(consumer)) {
                return consumer;
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
            answerPulls(pull -> pull.due.getAsBoolean() && !isBusy(pull.consumer) && !isHeldUp(pull.consumer));
        }
    }

    private boolean isBusy(ConsumerKey key) {
        Optional<ConsumerState> consumer = consumer(key);
        Optional<SelectiveScan> scan = consumer.map(ConsumerState::scan);
        return scan.isPresent()
                ? consumer.orElseThrow().hasCredit() && scan.get().isBusy()
                : reader.isLoading();
    }

    private boolean isHeldUp(ConsumerKey key) {
        return consumer(key)
                        .filter(ConsumerState::hasCredit)
                        .filter(consumer -> !isReady(consumer))
                        .isPresent()
                && isMoreAvailable(key);
    }

    private void answerPulls(Predicate<WaitingPull> which) {
        for (Iterator<WaitingPull> all = pulls.iterator(); all.hasNext(); ) {
            WaitingPull pull = all.next();
            if (which.test(pull)) {
                all.remove();
                pull.reply.onDone(isMoreAvailable(pull.consumer));
            }
        }
    }

    /** Returns whether there is more than the consumer was sent; for one with a selector, whether there may be. */
    private boolean isMoreAvailable(ConsumerKey key) {
        Optional<ConsumerState> consumer = consumer(key);
        Optional<SelectiveScan> scan = consumer.map(ConsumerState::scan);
        if (scan.isEmpty()) {
            return !cursor.decidedCandidates(0, 1).isEmpty();
        }
        boolean takesMore =
                consumer.filter(ConsumerState::hasCredit).filter(this::isReady).isPresent();
        return !takesMore && !scan.get().candidates(1).isEmpty();
    }
}
