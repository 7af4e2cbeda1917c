package io.millrace.coordinator.cursor;

/** What all cursors of a partition share while this broker leads it. */
final class Leadership {

    private final LeaderTerm term;
    private final CursorLimits limits;
    private final Turn turn = new Turn();
    private long lastAcquisition;
    private long highWatermark;

    Leadership(LeaderTerm term, CursorLimits limits) {
        this.term = term;
        this.limits = limits;
    }

    LeaderTerm term() {
        return term;
    }

    CursorLimits limits() {
        return limits;
    }

    Turn turn() {
        return turn;
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
}
