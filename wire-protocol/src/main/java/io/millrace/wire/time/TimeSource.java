package io.millrace.wire.time;

/**
 * The two clocks that Millrace knows. They answer different questions and must not be mixed.
 *
 * <ul>
 *   <li>{@link #nanoTime()}, the monotonic clock, is for every <em>decision</em>: timeouts, deadlines, leases, retry delays, flush
 *       intervals, rates. It never goes back, and somebody who sets the machine's date does not move it.
 *   <li>{@link #wallClockMs()}, the calendar, is for what people and other machines read: timestamps of records and of log lines,
 *       and the due times (expiry, delivery delay, retention by age) that are stored as dates. It may jump both ways at any moment, so
 *       nothing about order, ownership or liveness may depend on it.
 * </ul>
 *
 * <p>Implementations may be called from any thread and never block.
 */
public interface TimeSource {

    /**
     * Returns the monotonic clock.
     *
     * @return nanoseconds since an arbitrary origin, which may be negative and differs between processes: only the difference of two
     *     values from the same {@code TimeSource} means anything. Compare as {@code a - b < 0}, never as {@code a < b}, since the
     *     value may overflow.
     */
    long nanoTime();

    /**
     * Returns the calendar clock.
     *
     * @return milliseconds since 1970-01-01T00:00:00Z; a later call may return a smaller value
     */
    long wallClockMs();
}
