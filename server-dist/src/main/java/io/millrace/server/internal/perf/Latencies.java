package io.millrace.server.internal.perf;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Percentiles in milliseconds, with the resolution of a microsecond. All are 0 when nothing was measured. */
@JsonPropertyOrder({"count", "mean", "p50", "p90", "p99", "p99_9", "max"})
public record Latencies(long count, double mean, double p50, double p90, double p99, double p99_9, double max) {

    static Latencies of(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return new Latencies(0, 0, 0, 0, 0, 0, 0);
        }
        return new Latencies(
                micros.getTotalCount(),
                Math.round(micros.getMean()) / 1e3,
                at(micros, 50),
                at(micros, 90),
                at(micros, 99),
                at(micros, 99.9),
                micros.getMaxValue() / 1e3);
    }

    private static double at(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** One line for people. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f  mean %.3f ms",
                p50,
                p90,
                p99,
                p99_9,
                max,
                mean);
    }
}
