package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The meters of groups of Kafka clients: what the coordinator measures, under our names. */
final class GroupMeters {

    private static final double MS_PER_SECOND = 1e3;
    private static final Map<String, List<String>> STATES = Map.of(
            "classic", List.of("PreparingRebalance", "CompletingRebalance", "Stable", "Empty", "Dead"),
            "consumer", List.of("Assigning", "Reconciling", "Stable", "Empty", "Dead"),
            "share", List.of("Stable", "Empty", "Dead"),
            "streams", List.of("NotReady", "Assigning", "Reconciling", "Stable", "Empty", "Dead"));

    private final MeterRegistry registry;
    private final GroupMeasures measures;

    private GroupMeters(MeterRegistry registry, GroupMeasures measures) {
        this.registry = registry;
        this.measures = measures;
    }

    static void register(MeterRegistry registry, GroupMeasures measures) {
        new GroupMeters(registry, measures).register();
    }

    private void register() {
        STATES.forEach((protocol, states) -> {
            for (String state : states) {
                gauge(
                        "groups",
                        Tags.of("protocol", protocol, "state", words(state)),
                        protocol + "-group-count",
                        Map.of("state", state));
            }
            counter(
                    "group.rebalances",
                    Tags.of("protocol", protocol),
                    protocol.equals("classic")
                            ? "group-completed-rebalance-count"
                            : protocol + "-group-rebalance-count");
        });
        gauge("group.offsets", Tags.empty(), "offset-count", Map.of());
        counter("group.offset.commits", Tags.empty(), "offset-commit-count");
        counter("group.offset.expirations", Tags.empty(), "offset-expiration-count");
        counter("group.offset.deletions", Tags.empty(), "offset-deletion-count");
        for (String state : List.of("loading", "active", "failed")) {
            gauge("group.partitions", Tags.of("state", state), "num-partitions", Map.of("state", state));
        }
        seconds("group.load.max", "partition-load-time-max");
        seconds("group.event.queue.p99", "event-queue-time-ms-p99");
        seconds("group.event.processing.p99", "event-processing-time-ms-p99");
    }

    /** Kafka's word for a state, as a label: preparing_rebalance. */
    private static String words(String state) {
        return state.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private void gauge(String name, Tags tags, String measure, Map<String, String> of) {
        Gauge.builder(BrokerMeters.PREFIX + name, measures, all -> all.measured(measure, of))
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private void seconds(String name, String measure) {
        Gauge.builder(BrokerMeters.PREFIX + name, measures, all -> all.measured(measure, Map.of()) / MS_PER_SECOND)
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    private void counter(String name, Tags tags, String measure) {
        FunctionCounter.builder(BrokerMeters.PREFIX + name, measures, all -> all.measured(measure, Map.of()))
                .tags(tags)
                .register(registry);
    }
}
