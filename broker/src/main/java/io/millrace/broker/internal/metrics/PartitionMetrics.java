package io.millrace.broker.internal.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one partition counts. The shard of the partition alone writes; whoever reads sees a count of a moment ago. It is small, since a broker
 * has tens of thousands of them, and every count goes to the sums of the shard as well, which outlive the partition.
 */
public final class PartitionMetrics {

    /** What is counted. */
    enum Count {
        MESSAGES_IN(0),
        BYTES_IN(1),
        MESSAGES_OUT(2),
        BYTES_OUT(3),
        REDELIVERED(4),
        ACKNOWLEDGED(5),
        PURGED(6),
        LOST(7);

        /** Places of an array that holds them all. */
        static final int PLACES = 8;

        private final int place;

        Count(int place) {
            this.place = place;
        }

        int place() {
            return place;
        }
    }

    /** How a partition tells what it does not count but has. */
    public interface Probe {

        /** Has the partition publish its {@link Load} soon. */
        void measure();

        /** The time of the record at an offset, if it is still there. May wait for the disk. */
        OptionalLong timestampMsAt(long offset);

        /** Bytes of its files. */
        long sizeBytes();
    }

    /**
     * What a partition holds at one moment.
     *
     * @param ready messages that are neither acknowledged nor with a consumer, over all subscriptions
     * @param inFlight messages that are with a consumer
     * @param consumers consumers attached
     * @param oldestOffset the first message that somebody still needs, -1 for none
     */
    public record Load(long ready, long inFlight, int consumers, long oldestOffset) {

        static final Load NOTHING = new Load(0, 0, 0, -1);
    }

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final ShardMetrics shard;
    private final long[] counts = new long[Count.PLACES];
    private volatile Load load = Load.NOTHING;
    private volatile @Nullable Probe probe;
    private volatile boolean changed = true;
    // Of the thread that reads the metrics.
    private long oldestOffset = -1;
    private long oldestMs;

    PartitionMetrics(ShardMetrics shard) {
        this.shard = shard;
    }

    /** The sums of the shard that the partition belongs to. */
    public ShardMetrics shard() {
        return shard;
    }

    // ---- on the partition's shard ---------------------------------------------------------------------------------

    /** The partition is there. */
    public void probe(Probe newProbe) {
        probe = newProbe;
    }

    /** A batch of a client was appended. */
    public void onAppended(long messages, int bytes) {
        add(Count.MESSAGES_IN, messages);
        add(Count.BYTES_IN, bytes);
        shard.batchMessages().record(messages);
    }

    /** Records leave for a consumer. */
    public void onDelivered(long messages, long redelivered, int bytes) {
        add(Count.MESSAGES_OUT, messages);
        add(Count.BYTES_OUT, bytes);
        if (redelivered > 0) {
            add(Count.REDELIVERED, redelivered);
        }
    }

    /** Records were acknowledged. */
    public void onAcknowledged(long messages) {
        add(Count.ACKNOWLEDGED, messages);
    }

    /** Records were removed on behalf of an operator. */
    public void onPurged(long messages) {
        add(Count.PURGED, messages);
    }

    /** Retention removed records that a durable subscription had not consumed. */
    public void onLost(long messages) {
        add(Count.LOST, messages);
    }

    /** Something changed, so that the load is to be measured again. */
    public void onChanged() {
        if (!changed) {
            changed = true;
        }
    }

    /** The load as it is now. */
    public void publish(Load newLoad) {
        load = newLoad;
    }

    private void add(Count count, long more) {
        int at = count.place();
        COUNTS.setOpaque(counts, at, counts[at] + more);
        shard.add(count, more);
    }

    // ---- from any thread ------------------------------------------------------------------------------------------

    long get(Count count) {
        return (long) COUNTS.getOpaque(counts, count.place());
    }

    /** Messages that came in or went out: by their change one sees that a partition is in use. */
    long traffic() {
        return get(Count.MESSAGES_IN) + get(Count.MESSAGES_OUT);
    }

    Load load() {
        return load;
    }

    long sizeBytes() {
        Probe present = probe;
        return present == null ? 0 : present.sizeBytes();
    }

    /** Has the load measured if something changed since it was asked for last. */
    void measureIfChanged() {
        Probe present = probe;
        if (changed && present != null) {
            changed = false;
            present.measure();
        }
    }

    /** The time of the oldest message that somebody still needs, or empty. On the thread that reads the metrics. */
    OptionalLong oldestMs() {
        Probe present = probe;
        long offset = load.oldestOffset;
        if (offset < 0 || present == null) {
            return OptionalLong.empty();
        }
        if (offset != oldestOffset) {
            OptionalLong found = present.timestampMsAt(offset);
            if (found.isEmpty()) {
                return OptionalLong.empty();
            }
            oldestOffset = offset;
            oldestMs = found.getAsLong();
        }
        return OptionalLong.of(oldestMs);
    }
}
