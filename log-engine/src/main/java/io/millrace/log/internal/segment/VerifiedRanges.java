package io.millrace.log.internal.segment;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Which stretches of a file were found undamaged since the process began. There are few: what one reader after another verifies grows
 * together. Of more than fit, the shortest is forgotten, and verified again by whoever needs it. From any thread.
 */
final class VerifiedRanges {
    private static final int MAX_RANGES = 16;

    /** From and to of each range in turn, rising, never touching. Never changed once it is here. */
    private volatile int[] bounds = new int[0];

    /** Held to change them. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Whether all of a stretch is verified. */
    boolean covers(int from, int to) {
        int[] now = bounds;
        for (int i = 0; i < now.length; i += 2) {
            if (now[i] <= from && to <= now[i + 1]) {
                return true;
            }
        }
        return from >= to;
    }

    /** Adds a stretch that was verified. */
    void add(int from, int to) {
        if (from < to) {
            change(now -> with(now, from, to));
        }
    }

    /** Forgets what lies at and above a position. */
    void cut(int position) {
        change(now -> {
            int count = 0;
            while (2 * count < now.length && now[2 * count] < position) {
                count++;
            }
            int[] kept = Arrays.copyOf(now, 2 * count);
            if (count > 0) {
                kept[2 * count - 1] = Math.min(kept[2 * count - 1], position);
            }
            return kept;
        });
    }

    private void change(UnaryOperator<int[]> how) {
        lock.lock();
        try {
            bounds = how.apply(bounds);
        } finally {
            lock.unlock();
        }
    }

    private static int[] with(int[] now, int from, int to) {
        int[] merged = new int[now.length + 2];
        int count = 0;
        int low = from;
        int high = to;
        boolean placed = false;
        for (int i = 0; i < now.length; i += 2) {
            boolean touches = now[i] <= high && now[i + 1] >= low;
            if (touches) {
                low = Math.min(low, now[i]);
                high = Math.max(high, now[i + 1]);
                continue;
            }
            if (now[i] > high && !placed) {
                merged[count++] = low;
                merged[count++] = high;
                placed = true;
            }
            merged[count++] = now[i];
            merged[count++] = now[i + 1];
        }
        if (!placed) {
            merged[count++] = low;
            merged[count++] = high;
        }
        int[] result = Arrays.copyOf(merged, count);
        return count <= 2 * MAX_RANGES ? result : withoutShortest(result);
    }

    private static int[] withoutShortest(int[] ranges) {
        int shortest = 0;
        for (int i = 2; i < ranges.length; i += 2) {
            if (ranges[i + 1] - ranges[i] < ranges[shortest + 1] - ranges[shortest]) {
                shortest = i;
            }
        }
        int[] rest = new int[ranges.length - 2];
        System.arraycopy(ranges, 0, rest, 0, shortest);
        System.arraycopy(ranges, shortest + 2, rest, shortest, rest.length - shortest);
        return rest;
    }
}
