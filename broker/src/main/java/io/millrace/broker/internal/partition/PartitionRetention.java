package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.DurableRetention;
import io.millrace.log.PartitionLog;
import io.millrace.log.RetentionResult;
import io.millrace.log.SegmentInfo;
import io.millrace.wire.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes records from the data log: what is over its retention, but never what a cursor that survives needs, unless retention wins there; and of a queue whole
 * segments as soon as they are consumed, once that is durable. On the shard.
 */
final class PartitionRetention {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRetention.class);

    /** A segment that is consumed as a whole is closed at this size, so that its space is free again before it is full. */
    private static final long ROLL_CONSUMED_BYTES = 16L << 20;

    /** The same for a queue at rest. Rolling costs two files, so it must be worth it. */
    private static final long ROLL_IDLE_BYTES = 64L << 10;

    /** How often it is looked whether something is consumed, at most: looking costs more than most acknowledgements. */
    private static final long REMOVAL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final boolean queue;
    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final PartitionMetrics metrics;
    private final Shard shard;
    private final PartitionEdge edge;
    private final TimeSource time;
    private final ConsumedMarks consumed;
    private long lastRemovalNs;
    private boolean removalScheduled;
    /** The end of the log when it was last looked whether the queue is idle. */
    private long lastEndOffset = -1;

    /**
     * Creates the retention of a partition.
     *
     * @param queue whether records go when they are consumed
     * @param consumedRetentionMs how long they stay after that
     */
    PartitionRetention(
            boolean queue,
            long consumedRetentionMs,
            PartitionLog data,
            PartitionCursors cursors,
            PartitionMetrics metrics,
            Shard shard,
            PartitionEdge edge) {
        this.queue = queue;
        this.data = data;
        this.cursors = cursors;
        this.metrics = metrics;
        this.shard = shard;
        this.edge = edge;
        this.time = shard.time();
        this.consumed = new ConsumedMarks(consumedRetentionMs);
        this.lastRemovalNs = time.nanoTime();
    }

    /**
     * Removes what may go.
     *
     * @return whether records were taken from a cursor that did not hold them back, so that it changed
     */
    boolean retain() {
        rollIfIdle();
        removeConsumed();
        boolean retentionWins = data.config().durableRetention() == DurableRetention.DROP;
        long needed = retentionWins ? Long.MAX_VALUE : removableBelow();
        data.retain(
                time.wallClockMs(),
                queue && !retentionWins ? consumed.removableBelow(needed, time.nanoTime()) : needed);
        return dropBelowLogStart();
    }

    /** Consumed records stay so long from now on. */
    void consumedRetentionMs(long newRetentionMs) {
        consumed.retentionMs(newRetentionMs);
    }

    /** A queue that is consumed for the most part and at rest needs no file of some size: its space is free after this, or once it is cleaned. */
    private void rollIfIdle() {
        long end = data.logEndOffset();
        boolean idle = end == lastEndOffset;
        lastEndOffset = end;
        long activeBytes = data.segments().getLast().sizeBytes();
        if (queue && idle && activeBytes >= ROLL_IDLE_BYTES && isActiveSparse()) {
            data.roll();
        }
    }

    /** To be called when acknowledgements have become durable. */
    void removeConsumedNowAndThen() {
        if (!queue || removalScheduled) {
            return;
        }
        long waitNs = lastRemovalNs + REMOVAL_INTERVAL_NS - time.nanoTime();
        if (waitNs <= 0) {
            removeConsumed();
        } else {
            // These acknowledgements may be the last for long, and senders to a full disk wait for the space.
            removalScheduled = true;
            shard.schedule(waitNs, () -> {
                removalScheduled = false;
                edge.guard(this::removeConsumed);
            });
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

    /** Makes an offset the first one of the log; of cursors too, whether they had it consumed or not. */
    void removeBelow(long offset) {
        if (offset > data.logStartOffset()) {
            if (offset == data.logEndOffset()) {
                data.roll();
            }
            data.advanceLogStart(offset);
            dropBelowLogStart();
        }
    }

    /** Returns the offset, or where the first record below it is that some cursor still needs. */
    long consumedBelow(long offset) {
        return Math.min(offset, removableBelow());
    }

    private void removeConsumed() {
        lastRemovalNs = time.nanoTime();
        if (!queue) {
            return;
        }
        long done = Math.min(removableBelow(), data.logEndOffset());
        if (data.segments().getLast().sizeBytes() >= ROLL_CONSUMED_BYTES && isActiveSparse()) {
            data.roll();
        }
        long start = startOfFilesInUse(consumed.removableBelow(done, time.nanoTime()));
        if (start > data.logStartOffset()) {
            RetentionResult removed = data.advanceLogStart(start);
            LOG.debug("Partition {} is consumed up to {}: removed {}", data.partition(), done, removed);
        }
    }

    /** Whether so much of the active segment is consumed that it would be removed or rewritten if it were another one. */
    private boolean isActiveSparse() {
        SegmentInfo active = data.segments().getLast();
        long offsets = active.nextOffset() - active.baseOffset();
        boolean known =
                queue && cursors.isLeading() && cursors.cursor(CursorId.QUEUE).isPresent();
        long consumedOffsets = known ? cursors.consumedIn(active.baseOffset(), active.nextOffset()) : 0;
        return consumedOffsets > 0 && consumedOffsets >= data.config().cleanup().minConsumedRatio() * offsets;
    }

    /**
     * Where the first file begins that holds something at or above an offset, or the active one. The log never starts within a file: what is
     * left of it would stay when the file is closed, until a later one is consumed.
     */
    private long startOfFilesInUse(long removableBelow) {
        long start = data.logStartOffset();
        for (SegmentInfo segment : data.segments()) {
            if (segment.baseOffset() <= removableBelow) {
                start = Math.max(start, segment.baseOffset());
            }
        }
        return start;
    }

    /** What retention took from a cursor that does not hold records back counts as consumed. */
    private boolean dropBelowLogStart() {
        long start = data.logStartOffset();
        boolean changed = false;
        for (Cursor cursor : cursors.cursors()) {
            if (cursor.earliestNeededOffset() < start) {
                long lost = cursor.loseBelow(start);
                changed = true;
                if (lost > 0 && cursor.isDurable()) {
                    metrics.onLost(lost);
                    LOG.atWarn()
                            .addKeyValue("event", "records_lost_to_retention")
                            .addKeyValue("partition", data.partition())
                            .addKeyValue("cursor", cursor.id())
                            .addKeyValue("messages", lost)
                            .addKeyValue("logStart", start)
                            .log("Messages were removed before a subscription had consumed them");
                }
            }
        }
        return changed;
    }
}
