package io.millrace.broker.internal.partition;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Remembers when a queue was consumed up to where, so that records can stay for a while after that. In memory: after a restart the while
 * begins again. The marks are spread over the while, and there are few of them. On the shard.
 */
final class ConsumedMarks {

    /** Marks that there are at most, but for one: a record stays longer than it has to by one part in so many. */
    private static final int MAX_MARKS = 64;

    private record Mark(long endOffset, long atNs) {}

    private final ArrayDeque<Mark> marks = new ArrayDeque<>();
    private long retentionNs;
    private long removable;

    ConsumedMarks(long retentionMs) {
        retentionMs(retentionMs);
    }

    /** What is consumed stays so long from now on, what was consumed before included. */
    void retentionMs(long newRetentionMs) {
        retentionNs = TimeUnit.MILLISECONDS.toNanos(newRetentionMs);
    }

    /**
     * Returns below which offset records have been consumed for as long as they have to stay.
     *
     * @param consumedBelow below which offset they are consumed now
     */
    long removableBelow(long consumedBelow, long nowNs) {
        if (retentionNs == 0) {
            marks.clear();
            removable = consumedBelow;
            return consumedBelow;
        }
        Mark last = marks.peekLast();
        boolean grown = last == null || consumedBelow > last.endOffset;
        if (grown && (last == null || nowNs - last.atNs >= retentionNs / MAX_MARKS)) {
            marks.add(new Mark(consumedBelow, nowNs));
        }
        for (Mark first = marks.peek(); first != null && nowNs - first.atNs >= retentionNs; first = marks.peek()) {
            removable = marks.remove().endOffset;
        }
        return Math.min(removable, consumedBelow);
    }
}
