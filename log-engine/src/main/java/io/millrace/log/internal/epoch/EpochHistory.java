package io.millrace.log.internal.epoch;

import io.millrace.log.EpochEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The leader epochs of a log, each with the offset at which it began; both rise from entry to entry. By it a follower finds how far its log
 * agrees with its leader's.
 *
 * @param entries oldest first
 */
public record EpochHistory(List<Entry> entries) {
    public static final EpochHistory EMPTY = new EpochHistory(List.of());

    /** What {@link #latestEpoch} answers when there is none. */
    public static final int NO_EPOCH = -1;

    /**
     * An epoch and its beginning.
     *
     * @param epoch 0 or more
     * @param startOffset offset of its first record, or the log end when it began
     */
    public record Entry(int epoch, long startOffset) {
        public Entry {
            if (epoch < 0 || startOffset < 0) {
                throw new IllegalArgumentException("epoch " + epoch + " cannot begin at offset " + startOffset);
            }
        }
    }

    public EpochHistory {
        entries = List.copyOf(entries);
        for (int i = 1; i < entries.size(); i++) {
            Entry before = entries.get(i - 1);
            Entry entry = entries.get(i);
            if (entry.epoch() <= before.epoch() || entry.startOffset() < before.startOffset()) {
                throw new IllegalArgumentException(before + " cannot be followed by " + entry);
            }
        }
    }

    public int latestEpoch() {
        return entries.isEmpty() ? NO_EPOCH : entries.getLast().epoch();
    }

    /** The epoch that a record at an offset was written in; the first one for offsets before its beginning. */
    public int epochAt(long offset) {
        int low = 0;
        int high = entries.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (entries.get(middle).startOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return entries.isEmpty() ? NO_EPOCH : entries.get(low).epoch();
    }

    /** This history with an epoch that begins at the log end; itself if the epoch is known or older. */
    public EpochHistory with(int epoch, long startOffset) {
        if (epoch <= latestEpoch()) {
            return this;
        }
        List<Entry> more = new ArrayList<>(entries);
        // An epoch without a record is overtaken: nobody can ask where it ends.
        while (!more.isEmpty() && more.getLast().startOffset() >= startOffset) {
            more.removeLast();
        }
        more.add(new Entry(epoch, startOffset));
        return new EpochHistory(more);
    }

    /** Where an epoch ends; see {@link io.millrace.log.PartitionLog#epochEndOffset}. */
    public Optional<EpochEnd> endOf(int epoch, long logEndOffset) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).epoch() <= epoch) {
                long end = i + 1 < entries.size() ? entries.get(i + 1).startOffset() : logEndOffset;
                return Optional.of(new EpochEnd(entries.get(i).epoch(), end));
            }
        }
        return Optional.empty();
    }

    /** This history without what begins at or above an offset, for a log that is cut there. */
    public EpochHistory cutAt(long endOffset) {
        return new EpochHistory(
                entries.stream().filter(e -> e.startOffset() < endOffset).toList());
    }

    /** This history without what begins above an offset. */
    public EpochHistory upTo(long offset) {
        return new EpochHistory(
                entries.stream().filter(e -> e.startOffset() <= offset).toList());
    }

    /** This history for a log whose records below {@code startOffset} are gone: the epoch that holds there begins there. */
    public EpochHistory startAt(long startOffset) {
        int first = 0;
        while (first + 1 < entries.size() && entries.get(first + 1).startOffset() <= startOffset) {
            first++;
        }
        if (entries.isEmpty() || entries.get(first).startOffset() >= startOffset) {
            return first == 0 ? this : new EpochHistory(entries.subList(first, entries.size()));
        }
        List<Entry> rest = new ArrayList<>(entries.subList(first, entries.size()));
        rest.set(0, new Entry(rest.getFirst().epoch(), startOffset));
        return new EpochHistory(rest);
    }
}
