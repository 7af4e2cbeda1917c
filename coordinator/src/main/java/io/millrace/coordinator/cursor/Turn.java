package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what one turn of the shard has to write.
 *
 * <p>Acknowledgements and attempts are noted in each cursor and become a few ranges at the end of the turn. Everything else is written
 * at once, after what was noted before it, so that the replay sees the changes in an order that leads to the same state.
 */
final class Turn {

    private final List<CursorRecord> records = new ArrayList<>();
    private final List<LedState> changed = new ArrayList<>();
    private final List<HorizonStep> horizons = new ArrayList<>();
    private boolean syncSoon;

    /** A cursor has its first note since the notes were last written. */
    void onFirstNote(LedState cursor) {
        changed.add(cursor);
    }

    void write(CursorRecord record) {
        writeUnhurried(record);
        syncSoon = true;
    }

    /** The same when nobody waits for it who has not asked for that. */
    void writeUnhurried(CursorRecord record) {
        writeNotes();
        records.add(record);
    }

    /** Has {@code cursor} told when its horizon is below the cursor log's high watermark, once the record that raises it is written. */
    void onHorizonRaised(Lending cursor, long horizon) {
        horizons.add(new HorizonStep(cursor, horizon));
    }

    /** Horizons raised since the last call. */
    List<HorizonStep> takeHorizons() {
        List<HorizonStep> taken = List.copyOf(horizons);
        horizons.clear();
        return taken;
    }

    boolean isEmpty() {
        return records.isEmpty() && changed.isEmpty();
    }

    CursorOutcome end() {
        writeNotes();
        if (records.isEmpty()) {
            return CursorOutcome.NOTHING;
        }
        CursorOutcome outcome = new CursorOutcome(records, syncSoon);
        records.clear();
        syncSoon = false;
        return outcome;
    }

    private void writeNotes() {
        for (LedState cursor : changed) {
            cursor.writeNotes(records);
        }
        changed.clear();
    }
}
