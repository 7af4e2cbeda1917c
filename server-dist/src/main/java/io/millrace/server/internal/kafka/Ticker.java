package io.millrace.server.internal.kafka;

import io.millrace.server.internal.perf.Meter;
import java.util.Locale;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Tells, once a second, what the second brought. */
final class Ticker {
    private static final long EVERY_NS = 1_000_000_000L;

    private final String what;
    private final Meter meter;
    private final long startNs;
    private final Consumer<String> lines;
    private long lastNs;
    private long last;

    Ticker(String what, Meter meter, long startNs, Consumer<String> lines) {
        this.what = what;
        this.meter = meter;
        this.startNs = startNs;
        this.lastNs = startNs;
        this.lines = lines;
    }

    void printWhenDue(long nowNs) {
        if (nowNs - lastNs < EVERY_NS) {
            return;
        }
        long count = meter.count();
        Histogram micros = meter.interval();
        String latency = micros.getTotalCount() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", p50 %.2f p99 %.2f ms",
                        micros.getValueAtPercentile(50) / 1e3,
                        micros.getValueAtPercentile(99) / 1e3);
        lines.accept(String.format(
                Locale.ROOT,
                "%4d s   %s %,d (%,.0f/s%s)",
                (nowNs - startNs) / EVERY_NS,
                what,
                count,
                (count - last) * 1e9 / (nowNs - lastNs),
                latency));
        last = count;
        lastNs = nowNs;
    }
}
