package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/** The meters that are distributions: as summaries of Prometheus, with count, sum, and quantiles of the last minute. For the thread that reads the metrics. */
final class Distributions {

    private static final double[] QUANTILES = {0.5, 0.99, 0.999, 1};
    private static final double NS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final List<Distribution> all = new ArrayList<>();

    Distributions(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Registers one; quantile 1 is the largest. */
    void add(String name, Distribution values, String unit, double scale) {
        add(name, Tags.empty(), values, unit, scale);
    }

    /** Registers how long requests of a kind took. */
    void ofRequest(String name, RequestMetrics.Kind kind) {
        add(
                name,
                Tags.of("request", kind.name()),
                new Distribution(List.of(kind.latencyNs())),
                "seconds",
                NS_PER_SECOND);
    }

    private void add(String name, Tags tags, Distribution values, String unit, double scale) {
        all.add(values);
        String base = BrokerMeters.PREFIX + name + "." + unit;
        FunctionCounter.builder(base + ".count", values, Distribution::count)
                .tags(tags)
                .register(registry);
        FunctionCounter.builder(base + ".sum", values, of -> of.sum() / scale)
                .tags(tags)
                .register(registry);
        for (double quantile : QUANTILES) {
            Gauge.builder(base, values, of -> of.quantile(quantile) / scale)
                    .tags(tags)
                    .tag("quantile", quantile == 1 ? "1" : Double.toString(quantile))
                    .register(registry);
        }
    }

    /** Brings the quantiles up to date, and moves their window on when it is time. */
    void tick(boolean moveOn) {
        for (Distribution distribution : all) {
            if (moveOn) {
                distribution.tick();
            } else {
                distribution.look();
            }
        }
    }
}
