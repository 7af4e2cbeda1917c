package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.PartitionLog;
import io.millrace.log.RetentionResult;
import io.millrace.log.SegmentInfo;
import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes records from the data log: what is over its retention, but never what a cursor that survives needs; and of a queue whole
 * segments as soon as they are consumed, once that is durable. On the shard.
 */
final class PartitionRetention {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRetention.class);

    /** A segment that is consumed as a whole is closed at this size, so that its space is free again before it is full. */
    private static final long ROLL_CONSUMED_BYTES = 16L << 20;

    /** How often it is looked whether something is consumed, at most: looking costs more than most acknowledgements. */
    private static final long REMOVAL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final boolean queue;
    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final TimeSource time;
    private long lastRemovalNs;

    /**
     * Creates the retention of a partition.
     *
     * @param queue whether records go when they are consumed
     */
    PartitionRetention(boolean queue, PartitionLog data, PartitionCursors cursors, TimeSource time) {
        this.queue = queue;
        this.data = data;
        this.cursors = cursors;
        this.time = time;
        this.lastRemovalNs = time.nanoTime();
    }

    /**
     * Removes what may go.
     *
     * @return whether records were taken from a cursor that did not hold them back, so that it changed
     */
    boolean retain() {
        removeConsumed();
        data.retain(time.wallClockMs(), removableBelow());
        return dropBelowLogStart();
    }

    /** To be called when acknowledgements have become durable. */
    void removeConsumedNowAndThen() {
        if (queue && time.nanoTime() - lastRemovalNs >= REMOVAL_INTERVAL_NS) {
            removeConsumed();
        }
    }

    /**
     * Records below may go: no cursor that survives needs them, and that is durable. A queue that nobody consumed yet needs all of its
     * records; a subscription in memory needs none for sure, but goes on at the first that is left.
     */
    private long removableBelow() {
        boolean unconsumedQueue = queue && cursors.cursor(CursorId.QUEUE).isEmpty();
        return unconsumedQueue
                ? data.logStartOffset()
                : cursors.removableBelowOfDurable().orElse(Long.MAX_VALUE);
    }

    private void removeConsumed() {
        lastRemovalNs = time.nanoTime();
        long end = Math.min(removableBelow(), data.logEndOffset());
        if (!queue || end == data.logStartOffset()) {
            return;
        }
        if (end == data.logEndOffset() && data.sizeBytes() >= ROLL_CONSUMED_BYTES) {
            data.roll();
        }
        List<SegmentInfo> segments = data.segments();
        if (segments.size() > 1 && end >= segments.get(1).baseOffset()) {
            RetentionResult removed = data.advanceLogStart(end);
            LOG.debug("Partition {} is consumed up to {}: removed {}", data.partition(), end, removed);
        }
    }

    /** What retention took from a cursor that does not hold records back counts as consumed. */
    private boolean dropBelowLogStart() {
        long start = data.logStartOffset();
        boolean changed = false;
        for (Cursor cursor : cursors.cursors()) {
            if (cursor.earliestNeededOffset() < start) {
                cursor.dropBelow(start);
                changed = true;
            }
        }
        return changed;
    }
}
