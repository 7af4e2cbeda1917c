package io.millrace.broker.internal.kafka.group;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;

/**
 * Time for the coordinator, which takes one clock for both timeouts and timestamps: it starts at the calendar's time and then follows the
 * monotonic clock, so that nobody who sets the date takes members for dead, or offsets for old.
 */
final class GroupTime implements Time {

    private final TimeSource source;
    private final long originNs;
    private final long originMs;

    GroupTime(TimeSource source) {
        this.source = source;
        this.originNs = source.nanoTime();
        this.originMs = source.wallClockMs();
    }

    @Override
    public long milliseconds() {
        return originMs + TimeUnit.NANOSECONDS.toMillis(source.nanoTime() - originNs);
    }

    @Override
    public long nanoseconds() {
        return source.nanoTime();
    }

    @Override
    public void sleep(long ms) {
        throw new IllegalStateException("the coordinator waits for events only, not for " + ms + " ms");
    }
}
