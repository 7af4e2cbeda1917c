package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Consumption of one partition by one subscription, on the broker that leads the partition.
 *
 * <p>Every record below the high watermark is in one of these states:
 *
 * <pre>
 *               acquire                    acknowledge
 *   fresh ----------------------> acquired -----------> acknowledged
 *     |  acquire of a later one     |  ^                     |
 *     v                     release |  | acquire             | moveTo an earlier offset
 *   available &lt;---------------------+--+ &lt;-------------------+
 * </pre>
 *
 * Fresh records lie at or above {@link #nextFreshOffset()} and were never lent in this term. Available ones lie below it: they came
 * back, each to its own place in the order, or the dispatcher chose later ones first. {@link #candidates} lists what may be lent in the
 * order of the offsets, so available records come before fresh ones.
 *
 * <p><b>Transactions</b>: an acknowledgement may be {@linkplain #acknowledgePending pending}. The record is lent to nobody, whoever leaves, and
 * has its attempts, until the transaction ends: then it is acknowledged, or available again. Records that were appended in a transaction are
 * undecided until that ends; {@link #decidedCandidates} passes over them.
 *
 * <p><b>Deliveries are counted</b> when a record is lent, and the count is written in the same turn. A release says whether the
 * application saw the record; if it did not, the delivery is taken back. Since counts are not synced before the delivery leaves, the
 * cursor keeps a <em>dispatch horizon</em> synced ahead: it lends no fresh record at or above the last confirmed one. When a leader
 * cannot know that all counts are there ({@link LeaderStart#UNCERTAIN}), each record below the horizon without a count is lent as a
 * redelivered one, on a guess that never counts towards a maximum ({@link Grant#attempts()}).
 *
 * <p><b>Memory</b> does not grow with the depth of the queue. Unacknowledged records with attempts, whether acquired or released, are
 * at most {@link CursorLimits#windowRecords()}; when that many are out, {@link #candidates} has nothing more to offer than what was
 * delivered before, until some are acknowledged or handed back unseen. Acknowledged and available records cost a bit each where they
 * are scattered, and a few bytes for a run of any length. Who holds what costs {@link LendingMemory}, which all cursors of a broker share.
 *
 * <p>A cursor that is not durable works the same way, writes nothing and dies with the leader's term.
 *
 * <p>Not thread-safe: runs on the shard of its partition. Obtained from {@link PartitionCursors}.
 */
public final class Cursor {

    private final CursorState state;
    private final LedState led;
    private final Lending lending;
    private final Leadership leadership;
    private final Holdings holdings;
    private final Acknowledging acknowledging;
    private boolean deleted;
    private long lost;

    Cursor(CursorState state, boolean durable, Leadership leadership) {
        this.state = state;
        this.led = new LedState(state, durable, leadership);
        this.holdings = new Holdings(leadership.memory());
        this.lending = new Lending(led, holdings, leadership);
        this.acknowledging = new Acknowledging(led, holdings, leadership);
        this.leadership = leadership;
    }

    // ---- what an observer sees ----------------------------------------------------------------------------------

    /** Returns whose position this is. */
    public CursorId id() {
        return state.id();
    }

    /** Returns whether the cursor survives the leader's term. */
    public boolean isDurable() {
        return led.isDurable();
    }

    /** Returns the lowest unacknowledged offset: no record below is needed by this cursor any more. */
    public long earliestNeededOffset() {
        return state.startOffset();
    }

    /** Returns the lowest offset that was never offered in this term. */
    public long nextFreshOffset() {
        return lending.nextFresh();
    }

    /** Returns whether a record is acknowledged or was skipped, 0 or greater. */
    public boolean isAcknowledged(long offset) {
        return state.isAcknowledged(offset);
    }

    /**
     * Returns how many offsets below the high watermark are not acknowledged, and not undecided: the depth of the queue. Offsets without
     * records count until they are skipped.
     */
    public long depth() {
        long end = leadership.highWatermark();
        long undecided = leadership.undecided().countIn(state.startOffset(), end);
        return Math.max(0, end - state.startOffset() - acknowledgedAboveStart() - undecided);
    }

    /** Returns how many offsets at or above {@link #earliestNeededOffset} and below the high watermark are acknowledged. */
    public long acknowledgedAboveStart() {
        long end = leadership.highWatermark();
        OffsetSet acknowledged = state.acknowledged();
        // To count a part of the set takes longer the more scattered it is; as a rule all of it lies below the high
        // watermark.
        boolean allBelow = acknowledged.nextPresent(end) == OffsetSet.NONE;
        return allBelow ? acknowledged.count() : acknowledged.countIn(0, end);
    }

    /** Returns the lowest offset that {@link #depth} counts, if it counts any. */
    public long earliestDecidedOffset() {
        return lending.nextDecided(state.startOffset());
    }

    /** Returns how many records are acknowledged in transactions that have not ended. */
    public long pending() {
        return state.pending().count();
    }

    /** Returns how many records consumers hold. */
    public long acquired() {
        return holdings.acquired();
    }

    /** Returns how many records one consumer holds. */
    public long acquiredBy(ConsumerKey consumer) {
        return holdings.acquiredBy(consumer);
    }

    /** Returns how many consumers are attached. */
    public int consumers() {
        return holdings.attached();
    }

    /** Returns how often a record is known to have been delivered without being acknowledged, guesses not counted. */
    public int attempts(long offset) {
        return state.attempts().attempts(offset);
    }

    /** Returns the end, {@code limit} at most, of the longest run from {@code first} on whose records were delivered equally often. */
    public long endOfEqualAttempts(long first, long limit) {
        return state.attempts().endOfEqual(first, limit);
    }

    /** Returns the cursor as it is now, to be published to other threads. */
    public CursorSummary summary() {
        return new CursorSummary(
                id(), isDurable(), earliestNeededOffset(), nextFreshOffset(), depth(), acquired(), consumers(), lost);
    }

    // ---- consumers ----------------------------------------------------------------------------------------------

    /** A consumer was opened; only attached ones are lent records. Attaching twice is fine. */
    public void attach(ConsumerKey consumer) {
        requireExists();
        holdings.attach(consumer);
    }

    /** A consumer was closed in good order: it gets nothing more, and what it holds stays with its session. */
    public void detach(ConsumerKey consumer) {
        holdings.detach(consumer);
    }

    /** A consumer is lost: what it holds comes back, and since it may have been seen, the attempts count. */
    public void onConsumerGone(ConsumerKey consumer) {
        requireExists();
        holdings.detach(consumer);
        LentRuns lent = holdings.lentTo(consumer);
        while (lent != null && !lent.isEmpty()) {
            int run = lent.first();
            giveBack(consumer, lent, run, lent.first(run), lent.end(run), true);
        }
    }

    /** A session has ended, or its grace is over: all its consumers are gone. */
    public void onSessionGone(UUID sessionId) {
        for (ConsumerKey consumer : holdings.consumersOf(sessionId)) {
            onConsumerGone(consumer);
        }
    }

    /**
     * A consumer came back within the grace of its session. What it holds according to the cursor and does not name was lost on its
     * way, so nobody saw it: it comes back uncounted.
     *
     * @param consumer the consumer, which is attached by this
     * @param held what the client says it still has; what is not current any more is left out silently, its acknowledgement will be
     *     refused
     * @return how many records came back
     */
    public long reattach(ConsumerKey consumer, List<HeldRecords> held) {
        attach(consumer);
        LentRuns lent = holdings.lentTo(consumer);
        if (lent == null) {
            return 0;
        }
        long returned = 0;
        for (Map.Entry<Long, OffsetRuns> acquisition : lentWithout(lent, held).entrySet()) {
            OffsetRuns lost = acquisition.getValue();
            for (int run = 0; run < lost.runs(); run++) {
                int of = lent.find(acquisition.getKey(), lost.first(run));
                giveBack(consumer, lent, of, lost.first(run), lost.end(run), false);
            }
            returned += lost.count();
        }
        return returned;
    }

    /** Returns what is lent and not named, by acquisition. */
    private Map<Long, OffsetRuns> lentWithout(LentRuns lent, List<HeldRecords> held) {
        Map<Long, OffsetRuns> rest = new LinkedHashMap<>();
        for (int run = lent.first(); run != LentRuns.NONE; run = lent.next(run)) {
            rest.computeIfAbsent(lent.acquisition(run), acquisition -> new OffsetRuns())
                    .add(lent.first(run), lent.end(run));
        }
        for (HeldRecords records : held) {
            OffsetRuns of = isCurrent(records.acquisition())
                    ? rest.get(records.acquisition().counter())
                    : null;
            if (of != null) {
                records.ranges().forEach(range -> of.remove(range.firstOffset(), range.endOffset()));
            }
        }
        return rest;
    }

    // ---- lending ------------------------------------------------------------------------------------------------

    /**
     * Lists records that may be lent now, in the order of their offsets. Changes nothing: the dispatcher reads these offsets from the
     * data log, {@link #skip skips} those that turn out to hold no record, and acquires as many of the others as it sends.
     *
     * @param fromOffset leaves out what lies below, 0 or greater
     * @param maxRecords how many offsets at most
     * @return ranges in ascending order, not overlapping; empty when there is nothing, when the window is full, when {@link #isShort
     *     memory is short}, or when the next horizon is not confirmed yet
     */
    public List<OffsetRange> candidates(long fromOffset, int maxRecords) {
        return isShort() ? List.of() : lending.candidates(fromOffset, maxRecords);
    }

    /** The same without records that are undecided, which it passes over: it goes on behind them, and comes back to each once it is decided. */
    public List<OffsetRange> decidedCandidates(long fromOffset, int maxRecords) {
        return isShort() ? List.of() : lending.decidedCandidates(fromOffset, maxRecords);
    }

    /**
     * Lists the first records that nobody holds and that are decided, whether or not they may be lent at this moment.
     *
     * @param maxRecords how many offsets at most, 1 or more
     * @return ranges in ascending order, not overlapping
     */
    public List<OffsetRange> free(int maxRecords) {
        return lending.free(0, Long.MAX_VALUE, maxRecords);
    }

    /** Returns which of its records may be lent at this moment. */
    public LendingRoom room() {
        return new LendingRoom(lending);
    }

    /** Moves the dispatch horizon beyond a record that is to be lent next; that takes effect once it is confirmed. */
    public void extendHorizonBeyond(long offset) {
        requireExists();
        lending.extendHorizon(offset);
    }

    /** Returns a new view for those who want only some records, until {@link #closeView}. */
    public SelectiveView openView() {
        SelectiveView view = new SelectiveView(lending);
        lending.views().add(view);
        return view;
    }

    /** Ends a view. */
    public void closeView(SelectiveView view) {
        lending.views().remove(view);
    }

    /** Returns whether the cursor uses up its share of the broker's {@link LendingMemory}, and lends no more before it has some back. */
    public boolean isShort() {
        return !leadership.memory().hasRoom(holdings.runs());
    }

    /** Runs a task once, on any thread, when it is worth to look again whether the cursor {@link #isShort is short}. */
    public void whenMoreMemory(Runnable task) {
        leadership.memory().whenMore(task);
    }

    /** Takes back what {@link #whenMoreMemory} was given: nobody wants the records any more. */
    public void whenMoreMemoryNoLonger(Runnable task) {
        leadership.memory().whenMoreNoLonger(task);
    }

    /**
     * Lends records to a consumer.
     *
     * @param consumer an attached consumer
     * @param ranges what to lend: offsets that {@link #candidates} would list, ascending, at least one
     * @return the acquisition, with the number of deliveries of each record
     * @throws IllegalArgumentException if the consumer is not attached, or if a record cannot be lent
     */
    public Acquisition acquire(ConsumerKey consumer, List<OffsetRange> ranges) {
        requireExists();
        if (!holdings.isAttached(consumer) || ranges.isEmpty()) {
            throw new IllegalArgumentException("cursor " + id() + " lends to attached consumers, at least one record: "
                    + consumer + ", " + ranges);
        }
        lending.requireLendable(ranges);
        GrantList grants = new GrantList();
        for (OffsetRange range : ranges) {
            lending.lend(range.firstOffset(), range.endOffset(), grants);
        }
        AcquisitionId acquisition = leadership.nextAcquisition();
        holdings.lend(consumer, acquisition.counter(), ranges);
        lending.extendHorizon();
        return new Acquisition(acquisition, grants.toList());
    }

    /** Lends the first candidates: {@link #acquire(ConsumerKey, List)} for those who know that every offset holds a record. */
    public Optional<Acquisition> acquire(ConsumerKey consumer, int maxRecords) {
        List<OffsetRange> candidates = candidates(0, maxRecords);
        return candidates.isEmpty() ? Optional.empty() : Optional.of(acquire(consumer, candidates));
    }

    // ---- acknowledging and releasing ----------------------------------------------------------------------------

    /**
     * Acknowledges records. One that is acknowledged already is fine; one that is neither acknowledged nor lent to this consumer under
     * this acquisition is refused and comes again.
     *
     * <p>The answer to a client that wants it durable must wait until everything that was appended to the cursor log up to the end of
     * this turn is below its high watermark, even if this call changed nothing: an earlier acknowledgement may be on its way.
     *
     * @param consumer who acknowledges
     * @param acquisition under which the records were lent
     * @param ranges which records, in any order
     */
    public AcknowledgeResult acknowledge(ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges) {
        requireExists();
        return acknowledging.acknowledge(consumer, acquisition, ranges);
    }

    /**
     * Acknowledges records in a transaction: they are so when it is committed, and available again, with their attempts, when it is rolled
     * back; see {@link PendingTransactions}. One that this transaction has acknowledged before is fine. All are refused if the transaction is
     * known to have ended.
     *
     * @param consumer who acknowledges
     * @param acquisition under which the records were lent
     * @param ranges which records, in any order
     * @param transaction under which they are pending
     */
    public AcknowledgeResult acknowledgePending(
            ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges, ProducerIdentity transaction) {
        requireExists();
        return acknowledging.acknowledgePending(consumer, acquisition, ranges, transaction, this);
    }

    /**
     * Hands records back: each returns to its own place. Records that are not lent to this consumer under this acquisition are left
     * alone.
     *
     * @param consumer who gives back
     * @param acquisition under which the records were lent
     * @param ranges which records, in any order
     * @param seen whether the application saw them: then the delivery counts, else it is taken back
     * @return how many records came back
     */
    public long release(ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges, boolean seen) {
        requireExists();
        long returned = 0;
        for (OffsetRange range : ranges) {
            LentRuns lent = isCurrent(acquisition) ? holdings.lentTo(consumer) : null;
            int run = lent == null ? LentRuns.NONE : lent.find(acquisition.counter(), range.firstOffset());
            while (lent != null && run != LentRuns.NONE && lent.first(run) < range.endOffset()) {
                long first = Math.max(range.firstOffset(), lent.first(run));
                long end = Math.min(range.endOffset(), lent.end(run));
                giveBack(consumer, lent, run, first, end, seen);
                returned += end - first;
                run = lent.find(acquisition.counter(), end);
            }
        }
        return returned;
    }

    private void giveBack(ConsumerKey consumer, LentRuns lent, int run, long first, long end, boolean seen) {
        holdings.take(consumer, lent, run, first, end);
        lending.giveBack(first, end, seen);
    }

    private boolean isCurrent(AcquisitionId acquisition) {
        return leadership.isCurrent(acquisition);
    }

    // ---- moving -------------------------------------------------------------------------------------------------

    /**
     * Takes out offsets that hold no record for any consumer: control batches, and what compaction removed.
     *
     * @param range offsets below the high watermark of which none is lent
     * @throws IllegalArgumentException if one is lent, or lies at or above the high watermark
     */
    public void skip(OffsetRange range) {
        requireExists();
        if (!lending.isFree(range.firstOffset(), range.endOffset())) {
            throw new IllegalArgumentException("cursor " + id() + " cannot skip " + range
                    + ": it holds records that are lent, or not below the high watermark "
                    + leadership.highWatermark());
        }
        lending.takeOut(range.firstOffset(), range.endOffset());
    }

    /**
     * Takes out records that nobody holds, because an operator wants them gone: they count as acknowledged. Those that consumers hold stay.
     *
     * @param fromOffset where to begin or go on, 0 or greater
     * @param endOffset records at or above it stay; at most the high watermark
     * @param maxRuns runs of records that are taken out at most, 1 or more: each costs a range in the cursor log
     * @param maxRecords records that are taken out at most, 1 or more
     * @throws IllegalArgumentException if the end is above the high watermark
     */
    public PurgeStep purge(long fromOffset, long endOffset, int maxRuns, long maxRecords) {
        requireExists();
        if (fromOffset < 0 || endOffset > leadership.highWatermark() || maxRuns < 1 || maxRecords < 1) {
            throw new IllegalArgumentException(
                    "cursor " + id() + " cannot purge from " + fromOffset + " to " + endOffset
                            + " in " + maxRuns + " runs of together " + maxRecords + " records; the high watermark is "
                            + leadership.highWatermark());
        }
        return lending.purge(fromOffset, endOffset, maxRuns, maxRecords);
    }

    /**
     * The records below an offset are gone from the data log, by retention or because the queue was purged: they count as acknowledged,
     * and those that are lent are taken away. Nothing happens to the others.
     */
    public void dropBelow(long offset) {
        requireExists();
        if (offset > state.startOffset()) {
            lending.dropBelow(offset);
        }
    }

    /**
     * The same for records that retention took before they were acknowledged: they are counted.
     *
     * @return how many offsets that were
     */
    public long loseBelow(long offset) {
        long start = state.startOffset();
        long missed = Math.max(0, offset - start - state.acknowledgedIn(start, offset));
        dropBelow(offset);
        lost += missed;
        return missed;
    }

    /**
     * Sets the cursor to an offset: everything below counts as acknowledged, everything at or above it is to be delivered, whether it
     * was acknowledged or not. Records at or above it that a consumer holds stay with the consumer, and attempts that are known stay
     * known.
     *
     * @param offset up to the high watermark, that one included; whoever calls sees to it that the data log still has it
     * @throws IllegalArgumentException if the offset is negative or above the high watermark
     */
    public void moveTo(long offset) {
        requireExists();
        if (offset < 0 || offset > leadership.highWatermark()) {
            throw new IllegalArgumentException("cursor " + id() + " cannot move to offset " + offset + ", only to 0.."
                    + leadership.highWatermark() + " (the high watermark)");
        }
        lending.moveTo(offset);
    }

    // ---- called by PartitionCursors -----------------------------------------------------------------------------

    CursorState state() {
        return state;
    }

    Lending lending() {
        return lending;
    }

    boolean hasPending(long producerId) {
        return state.pending().has(producerId);
    }

    /** A transaction has ended. Returns how many of its acknowledgements were pending. */
    long endPending(ProducerIdentity marker, boolean commit) {
        OffsetSet ended = led.endPending(marker, commit);
        if (!commit) {
            lending.giveBack(ended);
        }
        return ended.count();
    }

    void onDeleted() {
        deleted = true;
        leadership.transactions().forget(this);
        onEnd();
    }

    /** Whatever was lent is of no account any more. */
    void onEnd() {
        holdings.clear();
    }

    private void requireExists() {
        if (deleted) {
            throw new IllegalStateException("cursor " + id() + " is deleted");
        }
    }
}
