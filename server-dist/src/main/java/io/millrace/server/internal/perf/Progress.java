package io.millrace.server.internal.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Tells, once a second, what the second brought. Used by the thread that watches the run. */
final class Progress {
    private static final long EVERY_NS = 1_000_000_000L;

    private final String label;
    private final long startNs;
    private final Meter sent;
    private final Meter received;
    private final LoadPlan plan;
    private final Consumer<String> lines;
    private long lastNs;
    private long lastSent;
    private long lastReceived;

    Progress(String label, LoadPlan plan, Meter sent, Meter received, long startNs, Consumer<String> lines) {
        this.label = label;
        this.plan = plan;
        this.sent = sent;
        this.received = received;
        this.startNs = startNs;
        this.lastNs = startNs;
        this.lines = lines;
    }

    void printWhenDue(long nowNs) {
        if (nowNs - lastNs < EVERY_NS) {
            return;
        }
        double seconds = (nowNs - lastNs) / 1e9;
        List<String> parts = new ArrayList<>();
        parts.add(String.format(Locale.ROOT, "%s%4d s", label, (nowNs - startNs) / EVERY_NS));
        if (plan.sends()) {
            long count = sent.count();
            parts.add(part("sent", count, (count - lastSent) / seconds, sent.interval()));
            lastSent = count;
        }
        if (plan.receives()) {
            long count = received.count();
            parts.add(part("received", count, (count - lastReceived) / seconds, received.interval()));
            lastReceived = count;
        }
        lastNs = nowNs;
        lines.accept(String.join("   ", parts));
    }

    private static String part(String what, long count, double perSecond, Histogram micros) {
        return String.format(
                Locale.ROOT,
                "%s %,d (%,.0f/s, p50 %.2f p99 %.2f ms)",
                what,
                count,
                perSecond,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3);
    }
}
