package io.millrace.testkit;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.TimeUnit;

/**
 * Time that passes only when the test says so.
 *
 * <p>{@code advance} moves both clocks, as time does. {@link #jumpWallClockMs(long)} moves the calendar alone, in either direction, as
 * an operator or a time service does. May be read and moved from any thread.
 */
public final class FakeTimeSource implements TimeSource {

    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private long nanoTime;
    /** Wall clock minus monotonic clock, so that fractions of a millisecond add up in one place. */
    private long wallClockOffsetNs;

    /** Starts at monotonic time 0 and on 2026-01-01T00:00:00Z. */
    public FakeTimeSource() {
        this(0, 1_767_225_600_000L);
    }

    /**
     * Starts at the given times.
     *
     * @param nanoTime first monotonic time in ns; a value near {@link Long#MAX_VALUE} shows whether a caller compares with overflow
     * @param wallClockMs first calendar time in ms since 1970
     */
    public FakeTimeSource(long nanoTime, long wallClockMs) {
        this.nanoTime = nanoTime;
        this.wallClockOffsetNs = wallClockMs * NANOS_PER_MS - nanoTime;
    }

    @Override
    public synchronized long nanoTime() {
        return nanoTime;
    }

    @Override
    public synchronized long wallClockMs() {
        return Math.floorDiv(nanoTime + wallClockOffsetNs, NANOS_PER_MS);
    }

    /**
     * Lets time pass on both clocks.
     *
     * @param durationNs 0 or more
     */
    public synchronized void advanceNs(long durationNs) {
        if (durationNs < 0) {
            throw new IllegalArgumentException("time cannot pass backwards: " + durationNs + " ns");
        }
        nanoTime += durationNs;
    }

    /**
     * Lets time pass on both clocks.
     *
     * @param durationMs 0 or more
     */
    public void advanceMs(long durationMs) {
        advanceNs(Math.multiplyExact(durationMs, NANOS_PER_MS));
    }

    /**
     * Sets the calendar forward or, with a negative distance, back. The monotonic clock does not notice.
     *
     * @param distanceMs how far to move
     */
    public synchronized void jumpWallClockMs(long distanceMs) {
        wallClockOffsetNs += Math.multiplyExact(distanceMs, NANOS_PER_MS);
    }
}
