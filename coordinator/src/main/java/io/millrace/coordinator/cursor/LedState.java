package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.List;

/**
 * The surviving state of a cursor in the hands of the leader: each change is made at once, and noted for the record that makes the replay
 * do the same. Of a cursor that is not durable nothing is noted.
 */
final class LedState {

    private final CursorState state;
    private final boolean durable;
    private final Leadership leadership;
    private final Notes notes = new Notes();

    LedState(CursorState state, boolean durable, Leadership leadership) {
        this.state = state;
        this.durable = durable;
        this.leadership = leadership;
    }

    /** The state, to be read only. */
    CursorState state() {
        return state;
    }

    boolean isDurable() {
        return durable;
    }

    void acknowledge(long first, long end) {
        long startBefore = state.startOffset();
        state.acknowledge(first, end);
        if (durable) {
            beforeNote();
            notes.acknowledged(first, end);
            if (state.startOffset() != startBefore) {
                leadership.onStartMovedUp(startBefore);
            }
        }
    }

    void setAttempts(long first, long end, int attempts, boolean guessed) {
        state.setAttempts(first, end, attempts, guessed);
        if (durable) {
            beforeNote();
            notes.attempts(first, end);
        }
    }

    void setPending(ProducerIdentity transaction, long first, long end) {
        state.setPending(transaction, first, end);
        if (durable) {
            beforeNote();
            notes.pending(transaction, first, end);
        }
    }

    /** A transaction has ended; {@link CursorRecord.TransactionEnded} is written already. Returns what was pending. */
    OffsetSet endPending(ProducerIdentity marker, boolean commit) {
        long startBefore = state.startOffset();
        OffsetSet ended = state.endPending(marker, commit);
        if (durable && state.startOffset() != startBefore) {
            leadership.onStartMovedUp(startBefore);
        }
        return ended;
    }

    private void beforeNote() {
        if (notes.isEmpty()) {
            leadership.turn().onFirstNote(this);
        }
    }

    void moveTo(long offset) {
        if (durable) {
            // Writes what was noted before, as it was before.
            leadership.turn().write(new CursorRecord.Moved(state.id(), offset));
        }
        state.moveTo(offset);
        leadership.onStartsChanged();
        leadership.onRewound();
    }

    /** The data log was cut; {@link CursorRecord.Truncated} is written already. */
    void onTruncated(long offset) {
        state.truncate(offset);
        leadership.onStartsChanged();
    }

    void setHorizon(long horizon, long uncertainBelow) {
        state.setHorizon(horizon, uncertainBelow);
        leadership.turn().write(new CursorRecord.Horizon(state.id(), horizon, uncertainBelow));
    }

    /** Adds the records that what was noted amounts to. */
    void writeNotes(List<CursorRecord> records) {
        notes.write(state, records);
    }
}
