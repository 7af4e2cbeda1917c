package io.millrace.coordinator.cursor;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of 64-bit offsets as compressed bitmaps: about one bit for each offset of a scattered region, a few bytes for a long run.
 *
 * <p>One bitmap for each 2^32 offsets; a cursor nearly always has one, or two while it passes from one to the next.
 */
final class OffsetSet {

    /** Returned when there is no such offset. */
    static final long NONE = -1;

    private static final long BUCKET_OFFSETS = 1L << 32;

    /** Changed offsets after which a bitmap is searched for runs: one container of a bitmap, so the search costs little for each. */
    private static final long OPTIMIZE_AFTER = 65_536;

    private final NavigableMap<Long, RoaringBitmap> buckets = new TreeMap<>();
    private long count;
    private long addedSinceOptimized;

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns how many offsets are in the set. */
    long count() {
        return count;
    }

    boolean contains(long offset) {
        if (count == 0) {
            return false;
        }
        RoaringBitmap bitmap = buckets.get(offset >>> 32);
        return bitmap != null && bitmap.contains((int) offset);
    }

    /** Adds the offsets from {@code first} up to, without, {@code end}. */
    void add(long first, long end) {
        if (end - first == 1) {
            if (bitmap(first >>> 32).checkedAdd((int) first)) {
                count++;
            }
        } else {
            for (long key = first >>> 32; first < end && key <= (end - 1) >>> 32; key++) {
                long low = Math.max(first - (key << 32), 0);
                long lowEnd = Math.min(end - (key << 32), BUCKET_OFFSETS);
                RoaringBitmap bitmap = bitmap(key);
                count += lowEnd - low - bitmap.rangeCardinality(low, lowEnd);
                bitmap.add(low, lowEnd);
            }
        }
        addedSinceOptimized += end - first;
        if (addedSinceOptimized >= OPTIMIZE_AFTER) {
            addedSinceOptimized = 0;
            buckets.values().forEach(RoaringBitmap::runOptimize);
        }
    }

    private RoaringBitmap bitmap(long key) {
        return buckets.computeIfAbsent(key, absent -> new RoaringBitmap());
    }

    /** Removes the offsets from {@code first} up to, without, {@code end}. */
    void remove(long first, long end) {
        if (count == 0 || first >= end) {
            return;
        }
        if (end - first == 1) {
            removeOne(first);
            return;
        }
        var affected = buckets.subMap(first >>> 32, true, (end - 1) >>> 32, true)
                .entrySet()
                .iterator();
        while (affected.hasNext()) {
            Map.Entry<Long, RoaringBitmap> entry = affected.next();
            RoaringBitmap bitmap = entry.getValue();
            long bucketFirst = entry.getKey() << 32;
            long low = Math.max(first - bucketFirst, 0);
            long lowEnd = Math.min(end - bucketFirst, BUCKET_OFFSETS);
            count -= bitmap.rangeCardinality(low, lowEnd);
            bitmap.remove(low, lowEnd);
            if (bitmap.isEmpty()) {
                affected.remove();
            }
        }
    }

    private void removeOne(long offset) {
        RoaringBitmap bitmap = buckets.get(offset >>> 32);
        if (bitmap != null && bitmap.checkedRemove((int) offset)) {
            count--;
            if (bitmap.isEmpty()) {
                buckets.remove(offset >>> 32);
            }
        }
    }

    void clear() {
        buckets.clear();
        count = 0;
        addedSinceOptimized = 0;
    }

    /** Returns the lowest offset in the set that is {@code from} or greater, or {@link #NONE}. */
    long nextPresent(long from) {
        if (count == 0) {
            return NONE;
        }
        long bucketOfFrom = from >>> 32;
        for (Map.Entry<Long, RoaringBitmap> entry :
                buckets.tailMap(bucketOfFrom, true).entrySet()) {
            long next = entry.getValue().nextValue(entry.getKey() == bucketOfFrom ? (int) from : 0);
            if (next >= 0) {
                return (entry.getKey() << 32) + next;
            }
        }
        return NONE;
    }

    /** Returns the lowest offset not in the set that is {@code from} or greater. */
    long nextAbsent(long from) {
        long offset = from;
        while (contains(offset)) {
            // Asked only where the offset is present: RoaringBitmap 1.3.0 answers 0xffff0000 for an absent offset when
            // its only
            // container is the last one.
            long next = bitmap(offset >>> 32).nextAbsentValue((int) offset);
            if (next >= 0) {
                return (offset >>> 32 << 32) + next;
            }
            offset = ((offset >>> 32) + 1) << 32;
        }
        return offset;
    }

    /** Returns how many offsets of the set are {@code first} or greater and less than {@code end}. */
    long countIn(long first, long end) {
        if (count == 0 || first >= end) {
            return 0;
        }
        long sum = 0;
        for (Map.Entry<Long, RoaringBitmap> entry :
                buckets.subMap(first >>> 32, true, (end - 1) >>> 32, true).entrySet()) {
            long bucketFirst = entry.getKey() << 32;
            sum += entry.getValue()
                    .rangeCardinality(Math.max(first - bucketFirst, 0), Math.min(end - bucketFirst, BUCKET_OFFSETS));
        }
        return sum;
    }

    /** Returns the offset after the highest one of the set, or 0 if it is empty. */
    long end() {
        return count == 0
                ? 0
                : (buckets.lastKey() << 32)
                        + Integer.toUnsignedLong(buckets.lastEntry().getValue().last())
                        + 1;
    }

    /** Calls {@code visitor}, which must not change this set, with each run of those that are {@code first} or greater and less than {@code end}. */
    void forEachIn(long first, long end, Holdings.RunVisitor visitor) {
        long from = nextPresent(first);
        while (from != NONE && from < end) {
            long to = Math.min(nextAbsent(from), end);
            visitor.visit(from, to);
            from = nextPresent(to);
        }
    }

    /** Moves those that are {@code first} or greater and less than {@code end} to another set. */
    void moveTo(OffsetSet other, long first, long end) {
        long from = nextPresent(first);
        while (from != NONE && from < end) {
            long to = Math.min(nextAbsent(from), end);
            remove(from, to);
            other.add(from, to);
            from = nextPresent(to);
        }
    }

    /** Returns a set of its own of those offsets that are {@code first} or greater and less than {@code end}. */
    OffsetSet part(long first, long end) {
        OffsetSet part = new OffsetSet();
        if (first < end) {
            buckets.subMap(first >>> 32, true, (end - 1) >>> 32, true).forEach((key, bitmap) -> {
                long low = Math.max(first - (key << 32), 0);
                long lowEnd = Math.min(end - (key << 32), BUCKET_OFFSETS);
                part.put(key, bitmap.selectRange(low, lowEnd));
            });
        }
        return part;
    }

    /** Removes the offsets that another set does not have. */
    void retain(OffsetSet other) {
        for (Map.Entry<Long, RoaringBitmap> entry : List.copyOf(buckets.entrySet())) {
            RoaringBitmap bitmap = entry.getValue();
            count -= bitmap.getLongCardinality();
            buckets.remove(entry.getKey());
            RoaringBitmap mask = other.buckets.get(entry.getKey());
            if (mask != null) {
                put(entry.getKey(), RoaringBitmap.and(bitmap, mask));
            }
        }
    }

    private void put(long key, RoaringBitmap bitmap) {
        if (!bitmap.isEmpty()) {
            buckets.put(key, bitmap);
            count += bitmap.getLongCardinality();
        }
    }
}
