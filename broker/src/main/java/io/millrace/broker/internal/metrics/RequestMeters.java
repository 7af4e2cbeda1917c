package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** The meters of requests: those of a kind, and of an error, begin when it is first seen. For the thread that reads the metrics. */
final class RequestMeters {

    private final MeterRegistry registry;
    private final RequestMetrics metrics;
    private final Distributions distributions;
    private final Set<String> kinds = new HashSet<>();
    private final Set<String> errors = new HashSet<>();

    RequestMeters(MeterRegistry registry, RequestMetrics metrics, Distributions distributions) {
        this.registry = registry;
        this.metrics = metrics;
        this.distributions = distributions;
    }

    /** Registers what is new. */
    void look() {
        for (RequestMetrics.Kind kind : metrics.kinds()) {
            if (kinds.add(kind.name())) {
                distributions.ofRequest("kafka.request.latency", kind);
            }
            kind.errors().forEach((error, count) -> {
                if (errors.add(kind.name() + " " + error)) {
                    FunctionCounter.builder(BrokerMeters.PREFIX + "kafka.request.errors", count, LongAdder::sum)
                            .tag("request", kind.name())
                            .tag("error", error)
                            .register(registry);
                }
            });
        }
    }
}
