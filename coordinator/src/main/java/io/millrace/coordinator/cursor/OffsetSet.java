package io.millrace.coordinator.cursor;

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
        for (long from = first; from < end; from = nextBucket(from)) {
            RoaringBitmap bitmap = buckets.computeIfAbsent(from >>> 32, key -> new RoaringBitmap());
            if (end - from == 1) {
                if (bitmap.checkedAdd((int) from)) {
                    count++;
                }
            } else {
                long low = low(from);
                long lowEnd = lowEnd(from, end);
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
            long low = low(Math.max(first, bucketFirst));
            long lowEnd = end - bucketFirst >= BUCKET_OFFSETS ? BUCKET_OFFSETS : end - bucketFirst;
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
        while (count > 0) {
            RoaringBitmap bitmap = buckets.get(offset >>> 32);
            if (bitmap == null) {
                return offset;
            }
            long next = bitmap.nextAbsentValue((int) offset);
            if (next >= 0 && next < BUCKET_OFFSETS) {
                return (offset >>> 32 << 32) + next;
            }
            offset = nextBucket(offset);
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
            long lowEnd = end - bucketFirst >= BUCKET_OFFSETS ? BUCKET_OFFSETS : end - bucketFirst;
            sum += entry.getValue().rangeCardinality(low(Math.max(first, bucketFirst)), lowEnd);
        }
        return sum;
    }

    private static long nextBucket(long offset) {
        return ((offset >>> 32) + 1) << 32;
    }

    private static long low(long offset) {
        return offset & (BUCKET_OFFSETS - 1);
    }

    /** The end of the range within the bucket of {@code from}. */
    private static long lowEnd(long from, long end) {
        return Math.min(end, nextBucket(from)) - (from >>> 32 << 32);
    }
}
