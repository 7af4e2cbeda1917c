package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.List;

/**
 * The part of a cursor that survives: what a replay of the cursor log gives.
 *
 * <p>Its mutators are the only code that changes this state, one for each kind of record. A follower and a recovery reach them through
 * {@link #replay}; a leader's operation calls the mutator and notes the same change for the record that it writes, so that what
 * it did and what the replay will do cannot differ.
 */
final class CursorState {

    private final CursorId id;
    private final OffsetSet acknowledged = new OffsetSet();
    private final DeliveryAttempts attempts = new DeliveryAttempts();
    private final PendingAcknowledgements pending = new PendingAcknowledgements();
    private long startOffset;
    private long horizon;
    private long seenEnd;
    private long uncertainBelow;

    CursorState(CursorId id, long startOffset, long horizon, long uncertainBelow) {
        this.id = id;
        this.startOffset = startOffset;
        this.horizon = horizon;
        this.uncertainBelow = uncertainBelow;
    }

    CursorId id() {
        return id;
    }

    /** Everything below is acknowledged; the record at this offset is not. */
    long startOffset() {
        return startOffset;
    }

    long horizon() {
        return horizon;
    }

    long uncertainBelow() {
        return uncertainBelow;
    }

    /** Acknowledged offsets above the start. */
    OffsetSet acknowledged() {
        return acknowledged;
    }

    /** Attempts of unacknowledged records. */
    DeliveryAttempts attempts() {
        return attempts;
    }

    /** Acknowledgements of transactions that have not ended, of unacknowledged records; to be read only. */
    PendingAcknowledgements pending() {
        return pending;
    }

    boolean isAcknowledged(long offset) {
        return offset < startOffset || acknowledged.contains(offset);
    }

    /** Returns the lowest unacknowledged offset at or above {@code from}. */
    long nextUnacknowledged(long from) {
        return acknowledged.nextAbsent(Math.max(from, startOffset));
    }

    /** Returns the lowest acknowledged offset at or above {@code from}, {@code limit} at most. */
    long nextAcknowledged(long from, long limit) {
        if (from < startOffset) {
            return Math.min(from, limit);
        }
        long next = acknowledged.nextPresent(from);
        return next == OffsetSet.NONE ? limit : Math.min(next, limit);
    }

    /** Returns how many offsets from {@code first} up to, without, {@code end} are acknowledged. */
    long acknowledgedIn(long first, long end) {
        return Math.max(0, Math.min(startOffset, end) - first)
                + acknowledged.countIn(Math.max(first, startOffset), end);
    }

    /** Returns the acknowledged offsets from {@code first} up to, without, {@code end}. */
    OffsetSet acknowledgedPart(long first, long end) {
        OffsetSet part = acknowledged.part(Math.max(first, startOffset), end);
        if (first < startOffset) {
            part.add(first, Math.min(startOffset, end));
        }
        return part;
    }

    /** Returns whether anything is known about records at or above an offset, but for the horizon. */
    boolean reaches(long offset) {
        return startOffset > offset
                || uncertainBelow > offset
                || acknowledged.nextPresent(offset) != OffsetSet.NONE
                || attempts.nextKnown(offset) != OffsetSet.NONE
                || pending.all().nextPresent(offset) != OffsetSet.NONE;
    }

    // ---- mutators -----------------------------------------------------------------------------------------------

    /** Consumes the records from {@code first} up to, without, {@code end}; those that are consumed already stay so. */
    void acknowledge(long first, long end) {
        long from = Math.max(first, startOffset);
        if (from >= end) {
            return;
        }
        attempts.remove(from, end);
        pending.remove(from, end);
        if (from == startOffset) {
            startOffset = acknowledged.nextAbsent(end);
            acknowledged.remove(from, startOffset);
        } else {
            acknowledged.add(from, end);
        }
    }

    /** Sets the attempts of records of which none is acknowledged. */
    void setAttempts(long first, long end, int count, boolean guessed) {
        attempts.set(first, end, count, guessed);
    }

    /** Has the acknowledgement of records, of which none is acknowledged or pending, wait for the end of a transaction. */
    void setPending(ProducerIdentity transaction, long first, long end) {
        pending.add(transaction, first, end);
    }

    /** The transaction of a producer id has ended whose epoch is at most this one: returns what was pending. */
    OffsetSet endPending(ProducerIdentity marker, boolean commit) {
        OffsetSet ended = pending.end(marker);
        if (commit) {
            ended.forEachIn(0, Long.MAX_VALUE, this::acknowledge);
        }
        return ended;
    }

    void setHorizon(long newHorizon, long newUncertainBelow) {
        horizon = newHorizon;
        uncertainBelow = newUncertainBelow;
    }

    /** Everything below becomes acknowledged, everything at or above it unacknowledged; known attempts stay, and what is pending. */
    void moveTo(long offset) {
        startOffset = offset;
        acknowledged.clear();
        attempts.remove(0, offset);
        pending.remove(0, offset);
    }

    void truncate(long offset) {
        startOffset = Math.min(startOffset, offset);
        acknowledged.remove(offset, Long.MAX_VALUE);
        attempts.remove(offset, Long.MAX_VALUE);
        pending.remove(offset, Long.MAX_VALUE);
        horizon = Math.min(horizon, offset);
        uncertainBelow = Math.min(uncertainBelow, offset);
        seenEnd = Math.min(seenEnd, offset);
    }

    /**
     * Returns an offset below which all records were below the high watermark once, as far as the replay tells: above the last one that was
     * delivered or acknowledged.
     */
    long seenEnd() {
        return seenEnd;
    }

    // ---- replay -------------------------------------------------------------------------------------------------

    void replay(CursorRecord.Acknowledged record) {
        for (OffsetRange range : record.ranges()) {
            acknowledge(range.firstOffset(), range.endOffset());
            seenEnd = Math.max(seenEnd, range.endOffset());
        }
    }

    void replay(CursorRecord.Attempts record) {
        for (AttemptRange attempt : record.ranges()) {
            replay(attempt);
        }
    }

    /** The same when records before it may be missing: what was counted of a record that is acknowledged here does not matter. */
    void replayLeniently(CursorRecord.Attempts record) {
        for (AttemptRange attempt : record.ranges()) {
            OffsetRange range = attempt.range();
            long from = nextUnacknowledged(range.firstOffset());
            while (from < range.endOffset()) {
                long to = nextAcknowledged(from, range.endOffset());
                setAttempts(from, to, attempt.attempts(), attempt.guessed());
                from = nextUnacknowledged(to);
            }
        }
    }

    /** Takes acknowledgements that are pending from now on, of a transaction whose producer id has none of another epoch pending. */
    void replayPending(ProducerIdentity transaction, List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            boolean free = nextUnacknowledged(range.firstOffset()) == range.firstOffset()
                    && nextAcknowledged(range.firstOffset(), range.endOffset()) == range.endOffset()
                    && pending.all().countIn(range.firstOffset(), range.endOffset()) == 0;
            if (!free || pending.isOtherEpochOpen(transaction)) {
                throw new InconsistentCursorLogException("cursor " + id + " has pending acknowledgements of records "
                        + range + " by " + transaction + ", of which some are acknowledged or pending, or which has"
                        + " another transaction open");
            }
            setPending(transaction, range.firstOffset(), range.endOffset());
            seenEnd = Math.max(seenEnd, range.endOffset());
        }
    }

    /** The same when records before it may be missing: only what may be pending becomes so. */
    void replayPendingLeniently(ProducerIdentity transaction, List<OffsetRange> ranges) {
        if (pending.isOtherEpochOpen(transaction)) {
            // Its end is lost.
            pending.end(transaction);
        }
        for (OffsetRange range : ranges) {
            OffsetSet free = new OffsetSet();
            free.add(range.firstOffset(), range.endOffset());
            acknowledgedPart(range.firstOffset(), range.endOffset()).forEachIn(0, Long.MAX_VALUE, free::remove);
            pending.all().forEachIn(range.firstOffset(), range.endOffset(), free::remove);
            free.forEachIn(0, Long.MAX_VALUE, (first, end) -> setPending(transaction, first, end));
        }
    }

    /** Returns whether a part of an image may be of the same image as what is here. */
    boolean agreesWith(CursorRecord.ImagePart part) {
        return part.startOffset() == startOffset
                && part.horizon() == horizon
                && part.uncertainBelow() == uncertainBelow;
    }

    void replay(CursorRecord.ImagePart part) {
        if (!agreesWith(part)) {
            throw new InconsistentCursorLogException(
                    "parts of the image of cursor " + id + " differ: start " + startOffset
                            + " and " + part.startOffset() + ", horizon " + horizon + " and " + part.horizon()
                            + ", uncertain below " + uncertainBelow + " and " + part.uncertainBelow());
        }
        for (OffsetRange range : part.acknowledged()) {
            acknowledge(range.firstOffset(), range.endOffset());
            seenEnd = Math.max(seenEnd, range.endOffset());
        }
        for (AttemptRange attempt : part.attempts()) {
            replay(attempt);
        }
    }

    private void replay(AttemptRange attempt) {
        OffsetRange range = attempt.range();
        if (nextUnacknowledged(range.firstOffset()) != range.firstOffset()
                || nextAcknowledged(range.firstOffset(), range.endOffset()) != range.endOffset()) {
            throw new InconsistentCursorLogException(
                    "cursor " + id + " has attempts of records " + range + ", of which some are acknowledged");
        }
        setAttempts(range.firstOffset(), range.endOffset(), attempt.attempts(), attempt.guessed());
        seenEnd = Math.max(seenEnd, range.endOffset());
    }
}
