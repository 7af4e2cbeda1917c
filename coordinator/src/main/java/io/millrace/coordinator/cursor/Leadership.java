package io.millrace.coordinator.cursor;

import java.util.function.LongSupplier;

/** What all cursors of a partition share while this broker leads it. */
final class Leadership {

    private final LeaderTerm term;
    private final CursorLimits limits;
    private final LendingMemory memory;
    private final UndecidedRecords undecided;
    private final RestingRecords resting;
    private final Turn turn = new Turn();
    private final PendingTransactions transactions = new PendingTransactions(turn);
    private long lastAcquisition;
    private long highWatermark;
    private long rewinds;

    /** Lowest start offset of the durable cursors when it was last looked for, and whether it may be another one now. */
    private long earliestNeeded;

    private boolean earliestNeededIsStale = true;

    Leadership(
            LeaderTerm term,
            CursorLimits limits,
            LendingMemory memory,
            UndecidedRecords undecided,
            RestingRecords resting) {
        this.term = term;
        this.limits = limits;
        this.memory = memory;
        this.undecided = undecided;
        this.resting = resting;
    }

    LeaderTerm term() {
        return term;
    }

    CursorLimits limits() {
        return limits;
    }

    LendingMemory memory() {
        return memory;
    }

    Turn turn() {
        return turn;
    }

    PendingTransactions transactions() {
        return transactions;
    }

    /** Records that nobody knows of whether they count; to be read only. */
    OffsetSet undecided() {
        return undecided.all();
    }

    RestingRecords resting() {
        return resting;
    }

    boolean isCurrent(AcquisitionId acquisition) {
        return acquisition.term().equals(term);
    }

    AcquisitionId nextAcquisition() {
        return new AcquisitionId(term, ++lastAcquisition);
    }

    /** First offset of the data log that must not be dispatched yet. */
    long highWatermark() {
        return highWatermark;
    }

    void highWatermark(long offset) {
        highWatermark = offset;
    }

    /** The start of a durable cursor moved up from {@code before}: that matters only if it held the others back. */
    void onStartMovedUp(long before) {
        earliestNeededIsStale |= before <= earliestNeeded;
    }

    /** A durable cursor was created, deleted or set back. */
    void onStartsChanged() {
        earliestNeededIsStale = true;
    }

    /** Something that was consumed may be needed again. */
    void onRewound() {
        rewinds++;
    }

    long rewinds() {
        return rewinds;
    }

    /** Returns the lowest start offset of the durable cursors, which {@code search} finds if it may have changed. */
    long earliestNeeded(LongSupplier search) {
        if (earliestNeededIsStale) {
            earliestNeeded = search.getAsLong();
            earliestNeededIsStale = false;
        }
        return earliestNeeded;
    }
}
