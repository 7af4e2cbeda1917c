package io.millrace.broker.internal.metrics;

import io.millrace.broker.internal.metrics.PartitionMetrics.Count;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The sums over all partitions that a shard has or had, and how long things took there. The shard writes, others read. */
public final class ShardMetrics {

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[Count.PLACES];
    private final Histogram sendNs = new Histogram();
    private final Histogram deliveryMs = new Histogram();
    private final Histogram batchMessages = new Histogram();

    /** From the arrival of a send to its answer, in nanoseconds. */
    public Histogram sendNs() {
        return sendNs;
    }

    /** From the time of a message to its first delivery, in milliseconds. */
    public Histogram deliveryMs() {
        return deliveryMs;
    }

    /** Messages of a batch that was appended. */
    Histogram batchMessages() {
        return batchMessages;
    }

    void add(Count count, long more) {
        int at = count.place();
        COUNTS.setOpaque(counts, at, counts[at] + more);
    }

    long get(Count count) {
        return (long) COUNTS.getOpaque(counts, count.place());
    }
}
