package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/** Cursors of a partition with a cursor log that is safe at once, for tests of what a leader does in memory. */
final class LedPartition {

    final List<CursorRecord> log = new ArrayList<>();
    final PartitionCursors cursors;

    LedPartition(CursorLimits limits) {
        cursors = new PartitionCursors(limits);
        cursors.lead(new LeaderTerm(0, 1), LeaderStart.COMPLETE, 0);
        turn();
    }

    /** Creates the queue's own cursor from offset 0 over {@code records} records. */
    Cursor queue(long records) {
        Cursor cursor = cursors.create(CursorId.QUEUE, 0);
        cursors.onHighWatermark(records);
        turn();
        return cursor;
    }

    /** Ends the turn: what it wrote is appended and safe. Returns the records. */
    List<CursorRecord> turn() {
        List<CursorRecord> records = cursors.endTurn().records();
        log.addAll(records);
        cursors.onAppended(log.size());
        cursors.onCursorLogHighWatermark(log.size());
        return records;
    }
}
