package io.millrace.jms.internal.consumer;

import io.millrace.wire.frame.OffsetRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What one Deliver frame has lent to this client, and what of it is still held: neither acknowledged nor given back. Confined to the loop.
 */
final class Acquisition {

    private final PartitionFeed feed;
    private final long id;
    private final int leaderEpoch;
    private final long[] offsets;
    private final BitSet held = new BitSet();
    private boolean current = true;

    /**
     * Creates an acquisition of which everything is held.
     *
     * @param feed where it was delivered
     * @param id given by the server
     * @param leaderEpoch of the delivery
     * @param offsets of the messages, ascending
     */
    Acquisition(PartitionFeed feed, long id, int leaderEpoch, long[] offsets) {
        this.feed = feed;
        this.id = id;
        this.leaderEpoch = leaderEpoch;
        this.offsets = offsets;
        held.set(0, offsets.length);
    }

    PartitionFeed feed() {
        return feed;
    }

    long id() {
        return id;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    long offset(int index) {
        return offsets[index];
    }

    /** Returns whether the server still lends it to us. */
    boolean current() {
        return current;
    }

    boolean holds(int index) {
        return current && held.get(index);
    }

    /** Returns which of these are held. */
    BitSet held(BitSet indexes) {
        BitSet both = (BitSet) indexes.clone();
        both.and(held);
        return both;
    }

    /** The server has taken everything back, as after its restart. */
    void end() {
        current = false;
        held.clear();
    }

    /** These messages are dealt with. */
    void drop(BitSet indexes) {
        held.andNot(indexes);
        if (held.isEmpty()) {
            feed.onFinished(this);
        }
    }

    long lowestHeldOffset() {
        return offsets[held.nextSetBit(0)];
    }

    List<OffsetRange> heldRanges() {
        return ranges(held);
    }

    /** Returns the offsets of some messages as ranges; neighbours in the log become one. */
    List<OffsetRange> ranges(BitSet indexes) {
        List<OffsetRange> ranges = new ArrayList<>();
        int index = indexes.nextSetBit(0);
        while (index >= 0) {
            long first = offsets[index];
            int count = 1;
            int next = indexes.nextSetBit(index + 1);
            while (next >= 0 && offsets[next] == first + count) {
                count++;
                next = indexes.nextSetBit(next + 1);
            }
            ranges.add(new OffsetRange(first, count));
            index = next;
        }
        return ranges;
    }
}
