package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/**
 * How often each unacknowledged record was delivered, for the records that were.
 *
 * <p>The counts are stored in slices: a set of the offsets known at all, and for each bit of the count a set of the offsets that have
 * it. A range of any length then costs a few operations on bitmaps, and a record that was delivered once, as nearly all are, costs a
 * bit in one slice. What is stored is not the count itself but a number that is 0 for a record delivered once without a guess.
 */
final class DeliveryAttempts {

    /** Swaps "once, not guessed" with 0; that code of "never, not guessed" moves to 2, which is never stored. */
    private static final int ONCE = 1 << 1;

    private final OffsetSet known = new OffsetSet();
    private final List<OffsetSet> bits = new ArrayList<>();

    /** Returns how many records have attempts. */
    long count() {
        return known.count();
    }

    /** Returns how many records from {@code first} up to, without, {@code end} have attempts. */
    long countIn(long first, long end) {
        return known.countIn(first, end);
    }

    /** Returns the deliveries of a record that are known to have happened. */
    int attempts(long offset) {
        return known.contains(offset) ? decode(offset) >>> 1 : 0;
    }

    /** Returns whether a further delivery has to be assumed. */
    boolean isGuessed(long offset) {
        return known.contains(offset) && (decode(offset) & 1) == 1;
    }

    /** Sets the attempts of all records from {@code first} up to, without, {@code end}. */
    void set(long first, long end, int attempts, boolean guessed) {
        if (attempts == 0 && !guessed) {
            remove(first, end);
            return;
        }
        known.add(first, end);
        int code = (attempts << 1 | (guessed ? 1 : 0)) ^ ONCE;
        while (code >>> bits.size() != 0) {
            bits.add(new OffsetSet());
        }
        for (int bit = 0; bit < bits.size(); bit++) {
            if ((code >>> bit & 1) == 1) {
                bits.get(bit).add(first, end);
            } else {
                bits.get(bit).remove(first, end);
            }
        }
    }

    void remove(long first, long end) {
        if (known.isEmpty()) {
            return;
        }
        known.remove(first, end);
        for (int bit = 0; bit < bits.size(); bit++) {
            bits.get(bit).remove(first, end);
        }
    }

    /** Returns whether a record has attempts. */
    boolean isKnown(long offset) {
        return known.contains(offset);
    }

    /** Returns the end, {@code limit} at most, of the run from {@code first} on whose records all have attempts, or all have none. */
    long endOfKnown(long first, long limit) {
        return endOfEqual(known, first, limit);
    }

    /** Returns the lowest record with attempts at or above {@code from}, or {@link OffsetSet#NONE}. */
    long nextKnown(long from) {
        return known.nextPresent(from);
    }

    /** Returns the end, {@code limit} at most, of the longest run from {@code first} on whose records have equal attempts. */
    long endOfEqual(long first, long limit) {
        long end = endOfEqual(known, first, limit);
        for (int bit = 0; bit < bits.size(); bit++) {
            end = endOfEqual(bits.get(bit), first, end);
        }
        return end;
    }

    private static long endOfEqual(OffsetSet set, long first, long limit) {
        if (set.isEmpty()) {
            return limit;
        }
        long end = set.contains(first) ? set.nextAbsent(first) : set.nextPresent(first);
        return end == OffsetSet.NONE ? limit : Math.min(end, limit);
    }

    private int decode(long offset) {
        int code = 0;
        for (int bit = 0; bit < bits.size(); bit++) {
            if (bits.get(bit).contains(offset)) {
                code |= 1 << bit;
            }
        }
        return code ^ ONCE;
    }
}
