package io.millrace.server.internal.perf;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Counts messages and keeps their latencies. Any thread records; the thread that watches the run reads. */
public final class Meter {
    private static final long MOST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 3;

    private final LongAdder count = new LongAdder();
    private final Recorder recorder = new Recorder(MOST_MICROS, DIGITS);
    private final Histogram total = new Histogram(MOST_MICROS, DIGITS);
    private @Nullable Histogram recycled;

    /** A message whose latency is not known. */
    public void record() {
        count.increment();
    }

    /** A message and how long it took. Clocks of two machines may disagree: less than nothing counts as nothing. */
    public void record(long latencyNs) {
        recorder.recordValue(Math.clamp(latencyNs / 1_000, 0, MOST_MICROS));
        count.increment();
    }

    /** Messages so far. */
    public long count() {
        return count.sum();
    }

    /** The latencies since this was last called, in microseconds; valid until it is called again. */
    public Histogram interval() {
        Histogram interval = recorder.getIntervalHistogram(recycled);
        recycled = interval;
        total.add(interval);
        return interval;
    }

    /** All latencies. */
    public Latencies latencies() {
        interval();
        return Latencies.of(total);
    }
}
