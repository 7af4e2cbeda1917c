package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.PartitionLog;

/** Removes from a log in memory what no cursor needs, at once: there is little room. On the shard. */
final class MemoryRetention {

    private final PartitionLog data;
    private final PartitionCursors cursors;

    MemoryRetention(PartitionLog data, PartitionCursors cursors) {
        this.data = data;
        this.cursors = cursors;
    }

    /** To be called when something was appended or acknowledged. What a transaction has open stays, whoever may get it then. */
    void removeConsumed() {
        long needed = data.lastStableOffset();
        for (Cursor cursor : cursors.cursors()) {
            needed = Math.min(needed, cursor.earliestNeededOffset());
        }
        if (needed > data.logStartOffset()) {
            data.advanceLogStart(needed);
        }
    }
}
