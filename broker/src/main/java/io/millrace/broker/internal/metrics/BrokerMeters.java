package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.broker.internal.metrics.PartitionMetrics.Count;
import io.millrace.log.CleanerStats;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The meters of the broker as a whole. {@link #tick} is for the thread that reads the metrics. */
final class BrokerMeters {

    static final String PREFIX = "millrace.";
    private static final double NS_PER_SECOND = 1e9;
    private static final double MS_PER_SECOND = 1e3;

    private final MeterRegistry registry;
    private final BrokerMetrics metrics;
    private final Distributions distributions;
    private final RequestMeters requests;

    /**
     * Registers them.
     *
     * @param facts what the broker knows and does not count
     * @param destinations how many destinations have meters
     */
    BrokerMeters(MeterRegistry registry, BrokerMetrics metrics, BrokerFacts facts, DestinationMeters destinations) {
        this.registry = registry;
        this.metrics = metrics;
        this.distributions = new Distributions(registry);
        this.requests = new RequestMeters(registry, metrics.requests(), distributions);
        totals();
        distribution("send.latency", metrics.distribution(ShardMetrics::sendNs), "seconds", NS_PER_SECOND);
        distribution("delivery.latency", metrics.distribution(ShardMetrics::deliveryMs), "seconds", MS_PER_SECOND);
        distribution("batch.size", metrics.distribution(ShardMetrics::batchMessages), "messages", 1);
        distribution(
                "sync.duration", new Distribution(List.of(metrics.syncs().durationNs())), "seconds", NS_PER_SECOND);
        distribution("sync.logs", new Distribution(List.of(metrics.syncs().logs())), "logs", 1);
        gauge("connections", facts, BrokerFacts::connections);
        gauge("sessions", facts, BrokerFacts::sessions);
        gauge("start.duration", facts, BrokerFacts::startSeconds, "seconds");
        gauge("partitions.online", facts, BrokerFacts::partitionsOnline);
        gauge("partitions.offline", facts, BrokerFacts::partitionsOffline);
        gauge("directories.readonly", facts, BrokerFacts::readOnlyDirectories);
        gauge("requests.queued", facts, BrokerFacts::queuedRequests);
        gauge("cursors.lent", facts, BrokerFacts::lentBytes, "bytes");
        gauge("cursors.short", facts, BrokerFacts::cursorsShort);
        gauge("branches.in.doubt", facts, BrokerFacts::branchesInDoubt);
        told("dead.letters", facts, BrokerFacts::deadLetters);
        told("dead.letters.lost", facts, BrokerFacts::deadLettersLost);
        cleaner(facts);
        GroupMeters.register(registry, facts.groups());
        gauge("destinations", metrics, all -> all.destinations().size());
        gauge("destinations.metered", destinations, DestinationMeters::count);
    }

    private void totals() {
        counter("messages.in", of -> of.total(Count.MESSAGES_IN));
        counter("payload.in", of -> of.total(Count.BYTES_IN), "bytes");
        counter("messages.out", of -> of.total(Count.MESSAGES_OUT));
        counter("payload.out", of -> of.total(Count.BYTES_OUT), "bytes");
        counter("messages.redelivered", of -> of.total(Count.REDELIVERED));
        counter("messages.acknowledged", of -> of.total(Count.ACKNOWLEDGED));
        counter("messages.purged", of -> of.total(Count.PURGED));
        counter("messages.lost", of -> of.total(Count.LOST));
        counter("network.in", of -> of.network().bytesIn(), "bytes");
        counter("network.out", of -> of.network().bytesOut(), "bytes");
        counter("frames.refused", of -> of.network().framesRefused());
        counter("connections.refused", of -> of.network().connectionsRefused());
        counter("requests.held.back", of -> of.network().requestsHeldBack());
        counter("requests.throttled", of -> of.network().requestsThrottled());
        gauge("messages.ready", metrics, of -> sum(of, DestinationMetrics::ready));
        gauge("messages.in.flight", metrics, of -> sum(of, DestinationMetrics::inFlight));
        gauge("consumers", metrics, of -> sum(of, DestinationMetrics::consumers));
        gauge("log.size", metrics, of -> sum(of, DestinationMetrics::sizeBytes), "bytes");
    }

    private void told(String name, BrokerFacts facts, ToDoubleFunction<BrokerFacts> count) {
        FunctionCounter.builder(PREFIX + name, facts, count).register(registry);
    }

    private void cleaner(BrokerFacts facts) {
        cleaned("cleaner.runs", null, facts, CleanerStats::runs);
        cleaned("cleaner.failures", null, facts, CleanerStats::failures);
        cleaned("cleaner.records.compacted", null, facts, of -> of.compacted().recordsRemoved());
        cleaned("cleaner.records.consumed", null, facts, of -> of.consumed().recordsRemoved());
        cleaned(
                "cleaner.read",
                "bytes",
                facts,
                of -> of.compacted().plus(of.consumed()).bytesBefore());
        cleaned(
                "cleaner.written",
                "bytes",
                facts,
                of -> of.compacted().plus(of.consumed()).bytesAfter());
        gauge("cleaner.dirty.ratio", facts, of -> of.cleaner().maxDirtyRatio());
    }

    private void cleaned(String name, @Nullable String unit, BrokerFacts facts, ToLongFunction<CleanerStats> value) {
        FunctionCounter.builder(PREFIX + name, facts, of -> value.applyAsLong(of.cleaner()))
                .baseUnit(unit)
                .register(registry);
    }

    private static long sum(BrokerMetrics metrics, ToLongFunction<DestinationMetrics> of) {
        return metrics.destinations().stream().mapToLong(of).sum();
    }

    private void counter(String name, ToDoubleFunction<BrokerMetrics> value) {
        FunctionCounter.builder(PREFIX + name, metrics, value).register(registry);
    }

    private void counter(String name, ToDoubleFunction<BrokerMetrics> value, String unit) {
        FunctionCounter.builder(PREFIX + name, metrics, value).baseUnit(unit).register(registry);
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
        Gauge.builder(PREFIX + name, of, value).strongReference(true).register(registry);
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value, String unit) {
        Gauge.builder(PREFIX + name, of, value)
                .baseUnit(unit)
                .strongReference(true)
                .register(registry);
    }

    private void distribution(String name, Distribution values, String unit, double scale) {
        distributions.add(name, values, unit, scale);
    }

    /** Brings the quantiles up to date, and moves their window on when it is time; kinds of requests that are new begin to be shown. */
    void tick(boolean moveOn) {
        requests.look();
        distributions.tick(moveOn);
    }
}
