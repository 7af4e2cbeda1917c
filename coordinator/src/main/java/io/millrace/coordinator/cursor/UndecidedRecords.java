package io.millrace.coordinator.cursor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Which records of a partition belong to transactions that have not ended, so that nobody knows yet whether they count; and which of those
 * that ended in this leader's term do not.
 *
 * <p>Cursors pass over undecided records and have them available, each in its place, once they are committed. What is rolled back they take
 * out, or skip when they come to it. A record costs a bit, a run of them a few bytes. Of what was rolled back only so much is remembered; the
 * index of the log has it all.
 *
 * <p>Not thread-safe: runs on the shard of its partition. Obtained from {@link PartitionCursors#undecided}.
 */
public final class UndecidedRecords {

    /** Runs of records that were rolled back that are remembered: each costs a few bytes. */
    private static final int ABORTED_RUNS = 10_000;

    private final Collection<Cursor> cursors;
    private final Map<Long, OffsetSet> byProducer = new HashMap<>();
    private final OffsetSet all = new OffsetSet();
    private final OffsetSet aborted = new OffsetSet();
    private long abortedKnownFrom;
    private int abortedRuns;

    /** @param cursors the cursors of the partition, as they are at each time */
    UndecidedRecords(Collection<Cursor> cursors) {
        this.cursors = cursors;
    }

    /** All records that are appended from this offset on will be {@linkplain #add added} and {@linkplain #decide decided} here. */
    public void knowFrom(long offset) {
        aborted.clear();
        abortedRuns = 0;
        abortedKnownFrom = offset;
    }

    /** Records were appended in the transaction that this producer has open. */
    public void add(long producerId, long firstOffset, long endOffset) {
        byProducer.computeIfAbsent(producerId, id -> new OffsetSet()).add(firstOffset, endOffset);
        all.add(firstOffset, endOffset);
    }

    /**
     * The transaction that a producer had open has ended.
     *
     * @param commit whether its records count
     * @param logStartOffset what was rolled back below it is gone
     * @param logEndOffset end of the log, the marker included
     */
    public void decide(long producerId, boolean commit, long logStartOffset, long logEndOffset) {
        OffsetSet decided = byProducer.remove(producerId);
        if (decided == null) {
            return;
        }
        decided.forEachIn(0, Long.MAX_VALUE, all::remove);
        if (!commit) {
            aborted.remove(0, logStartOffset);
            decided.forEachIn(logStartOffset, Long.MAX_VALUE, (first, end) -> {
                aborted.add(first, end);
                abortedRuns++;
            });
            if (abortedRuns > ABORTED_RUNS) {
                knowFrom(logEndOffset);
            }
        }
        for (Cursor cursor : cursors) {
            cursor.lending().onDecided(decided, commit);
        }
    }

    /** The same with those that were rolled back lately. */
    public long countHiddenIn(long firstOffset, long endOffset) {
        return all.countIn(firstOffset, endOffset) + aborted.countIn(firstOffset, endOffset);
    }

    /** Returns how many there are from {@code firstOffset} up to, without, {@code endOffset}. */
    public long countIn(long firstOffset, long endOffset) {
        return all.countIn(firstOffset, endOffset);
    }

    /** Returns the lowest offset at or above one that is not undecided. */
    public long endOfRun(long offset) {
        return all.nextAbsent(offset);
    }

    /** Returns the offset after the last record of the transaction that a producer has open, or 0 if it has none. */
    public long endOf(long producerId) {
        OffsetSet offsets = byProducer.get(producerId);
        return offsets == null ? 0 : offsets.end();
    }

    /** Returns whether {@link #isAborted} tells about records from an offset on: those that were rolled back lately. */
    public boolean knowsAborted(long offset) {
        return offset >= abortedKnownFrom;
    }

    /** Returns whether a record that is not undecided was rolled back. */
    public boolean isAborted(long offset) {
        return aborted.contains(offset);
    }

    /** The data log was cut: at or above the offset there is nothing any more. */
    void cut(long offset) {
        byProducer.values().forEach(offsets -> offsets.remove(offset, Long.MAX_VALUE));
        byProducer.values().removeIf(OffsetSet::isEmpty);
        all.remove(offset, Long.MAX_VALUE);
        aborted.remove(offset, Long.MAX_VALUE);
    }

    OffsetSet all() {
        return all;
    }
}
