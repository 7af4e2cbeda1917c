package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.OffsetRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which records members of a share group hold, by offset, since that is how they name them; and until when. Not thread-safe.
 *
 * <p>Source: KIP-932, acquisition locks.
 */
final class ShareLocks {

    /**
     * Consecutive records that a member holds.
     *
     * @param acquisition under which the cursor lent them
     * @param deliveries of each, this one included
     * @param deadlineNs when they come back by themselves
     */
    record Lock(OffsetRange range, AcquisitionId acquisition, ConsumerKey member, int deliveries, long deadlineNs) {

        private Lock within(OffsetRange part) {
            return new Lock(part, acquisition, member, deliveries, deadlineNs);
        }
    }

    private final TreeMap<Long, Lock> byOffset = new TreeMap<>();

    void add(Lock lock) {
        byOffset.put(lock.range().firstOffset(), lock);
    }

    boolean isEmpty() {
        return byOffset.isEmpty();
    }

    /** Returns whether a member holds every record of a range that is not below an offset. */
    boolean holdsAll(ConsumerKey member, OffsetRange range, long fromOffset) {
        long next = Math.max(range.firstOffset(), fromOffset);
        while (next < range.endOffset()) {
            Map.Entry<Long, Lock> entry = byOffset.floorEntry(next);
            if (entry == null
                    || !entry.getValue().range().contains(next)
                    || !entry.getValue().member().equals(member)) {
                return false;
            }
            next = entry.getValue().range().endOffset();
        }
        return true;
    }

    /** Takes those records of a range out that a member holds, in pieces that were lent together. */
    List<Lock> takeOf(ConsumerKey member, OffsetRange range) {
        List<Lock> taken = new ArrayList<>();
        for (Lock lock : take(range)) {
            if (lock.member().equals(member)) {
                taken.add(lock);
            } else {
                add(lock);
            }
        }
        return taken;
    }

    /** Takes the records of a range out, in pieces that were lent together. */
    List<Lock> take(OffsetRange range) {
        List<Lock> taken = new ArrayList<>();
        Map.Entry<Long, Lock> entry = byOffset.floorEntry(range.firstOffset());
        if (entry == null || entry.getValue().range().endOffset() <= range.firstOffset()) {
            entry = byOffset.ceilingEntry(range.firstOffset());
        }
        while (entry != null && entry.getKey() < range.endOffset()) {
            Lock lock = entry.getValue();
            byOffset.remove(entry.getKey());
            long first = Math.max(lock.range().firstOffset(), range.firstOffset());
            long end = Math.min(lock.range().endOffset(), range.endOffset());
            if (lock.range().firstOffset() < first) {
                add(lock.within(new OffsetRange(lock.range().firstOffset(), first)));
            }
            if (end < lock.range().endOffset()) {
                add(lock.within(new OffsetRange(end, lock.range().endOffset())));
            }
            taken.add(lock.within(new OffsetRange(first, end)));
            entry = byOffset.ceilingEntry(end);
        }
        return taken;
    }

    /** Takes out all that a member holds. */
    List<Lock> takeOf(ConsumerKey member) {
        List<Lock> taken = new ArrayList<>();
        for (Iterator<Lock> locks = byOffset.values().iterator(); locks.hasNext(); ) {
            Lock lock = locks.next();
            if (lock.member().equals(member)) {
                taken.add(lock);
                locks.remove();
            }
        }
        return taken;
    }

    /** Takes out all whose time is over. */
    List<Lock> takeDue(long nowNs) {
        List<Lock> taken = new ArrayList<>();
        for (Iterator<Lock> locks = byOffset.values().iterator(); locks.hasNext(); ) {
            Lock lock = locks.next();
            if (lock.deadlineNs() - nowNs <= 0) {
                taken.add(lock);
                locks.remove();
            }
        }
        return taken;
    }

    /** Returns when the next ones come back by themselves, as a distance from now. */
    OptionalLong nextDueInNs(long nowNs) {
        return byOffset.values().stream()
                .mapToLong(lock -> Math.max(0, lock.deadlineNs() - nowNs))
                .min();
    }
}
