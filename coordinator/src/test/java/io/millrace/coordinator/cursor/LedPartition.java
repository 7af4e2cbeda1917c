package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/** Cursors of a partition with a cursor log that is safe at once, for tests of what a leader does in memory. */
final class LedPartition {

    final List<CursorRecord> log = new ArrayList<>();
    final PartitionCursors cursors;

    private final CursorLimits limits;
    private long brokerEpoch;
    private long records;

    LedPartition(CursorLimits limits) {
        this.limits = limits;
        cursors = new PartitionCursors(limits);
        lead(1, LeaderStart.COMPLETE);
    }

    private LedPartition(LedPartition before, LeaderStart start) {
        limits = before.limits;
        records = before.records;
        log.addAll(before.log);
        cursors = new PartitionCursors(limits);
        log.forEach(cursors::replay);
        lead(before.brokerEpoch + 1, start);
        cursors.onHighWatermark(records);
    }

    private void lead(long epoch, LeaderStart start) {
        brokerEpoch = epoch;
        cursors.lead(new LeaderTerm(0, epoch), start, log.size());
        cursors.truncate(records);
        turn();
    }

    /** The broker is killed and leads again, with all that was written. */
    LedPartition killed() {
        return crashed(LeaderStart.COMPLETE);
    }

    LedPartition crashed(LeaderStart start) {
        return new LedPartition(this, start);
    }

    /** Creates the queue's own cursor from offset 0 over {@code count} records. */
    Cursor queue(long count) {
        records = count;
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
