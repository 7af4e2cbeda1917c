package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.PurgeStep;

/**
 * Removes the messages of one cursor that nobody holds, a part in each turn of the shard, so that other partitions and the heap do not
 * notice how many there are. On the shard.
 */
final class Purge {

    /** Runs of records of one step: each becomes a range in the cursor log. */
    private static final int MAX_RUNS = 1_000;

    /** Records of one step. */
    private static final long MAX_RECORDS = 1L << 20;

    private final Cursor cursor;
    private final long endOffset;
    private long nextOffset;
    private long removed;

    /**
     * Begins a purge.
     *
     * @param endOffset what arrives at or above it stays: the high watermark when the purge was asked for
     */
    Purge(Cursor cursor, long endOffset) {
        this.cursor = cursor;
        this.endOffset = endOffset;
    }

    Cursor cursor() {
        return cursor;
    }

    /** Does the next part. Returns how many records it removed. */
    long step() {
        PurgeStep step = cursor.purge(nextOffset, endOffset, MAX_RUNS, MAX_RECORDS);
        nextOffset = step.nextOffset();
        removed += step.removed();
        return step.removed();
    }

    boolean isDone() {
        return nextOffset >= endOffset;
    }

    Purged result() {
        return new Purged(removed, cursor.acquired() + cursor.pending(), cursor.consumers());
    }
}
