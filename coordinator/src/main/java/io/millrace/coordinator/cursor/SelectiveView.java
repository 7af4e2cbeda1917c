package io.millrace.coordinator.cursor;

import java.util.List;

/**
 * Which records of a cursor those have yet to look at who want only some of them.
 *
 * <p>They look at records in the order of their offsets, and one look is enough, since records do not change. So what was looked at is a
 * prefix of the log, but for records that were lent or undecided then and are available now. Memory: what came back costs a bit each where
 * it is scattered, and it is no more than what was lent or undecided at a time.
 *
 * <p>Not thread-safe: runs on the shard of its partition. Obtained from {@link Cursor#openView}.
 */
public final class SelectiveView {

    private final Lending lending;
    private final OffsetSet returned = new OffsetSet();
    private long lookedTo;

    SelectiveView(Lending lending) {
        this.lending = lending;
    }

    /**
     * Lists records that nobody holds and that are yet to be looked at, whether or not they may be lent at this moment.
     *
     * @param maxRecords how many offsets at most, 1 or more
     * @return ranges in ascending order, not overlapping; when they are looked at, there may be more; empty if there is nothing
     */
    public List<OffsetRange> candidates(int maxRecords) {
        while (!returned.isEmpty()) {
            long first = returned.nextPresent(0);
            long end = returned.nextAbsent(first);
            List<OffsetRange> back = lending.free(first, end, maxRecords);
            if (!back.isEmpty()) {
                return back;
            }
            // Lent again, or done with.
            returned.remove(first, end);
        }
        return lending.free(lookedTo, Long.MAX_VALUE, maxRecords);
    }

    /** Says that of the {@link #candidates} all below an offset were looked at, and lent if they were wanted. */
    public void lookedTo(long endOffset) {
        returned.remove(0, Math.min(endOffset, lookedTo));
        lookedTo = Math.max(lookedTo, endOffset);
    }

    /** Records are available that may not have been before. */
    void onAvailable(long first, long end) {
        if (first < lookedTo) {
            returned.add(first, Math.min(end, lookedTo));
        }
    }

    /** What lies at or above an offset is to be looked at anew. */
    void onMoved(long offset) {
        lookedTo = Math.min(lookedTo, offset);
        returned.remove(offset, Long.MAX_VALUE);
    }
}
