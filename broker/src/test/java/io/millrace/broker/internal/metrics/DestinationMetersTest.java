package io.millrace.broker.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DestinationMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BrokerMetrics metrics = new BrokerMetrics(1);
    private final DestinationMeters meters = new DestinationMeters(registry, 10);
    private final Map<String, UUID> ids = new HashMap<>();
    private final Map<String, PartitionMetrics> partitions = new HashMap<>();
    private long tick;

    private void create(String name) {
        UUID id = new UUID(0, ids.size());
        ids.put(name, id);
        partitions.put(name, metrics.partition(id, name, "queue", 0, 0));
    }

    private UUID id(String name) {
        return Objects.requireNonNull(ids.get(name), name);
    }

    private PartitionMetrics of(String name) {
        return Objects.requireNonNull(partitions.get(name), name);
    }

    private void reconcile() {
        tick++;
        metrics.destinations().forEach(destination -> destination.measure(tick));
        meters.reconcile(metrics.destinations());
    }

    private Set<String> metered() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> String.valueOf(id.getTag("destination")))
                .collect(Collectors.toSet());
    }

    @Test
    void shouldGiveAllTheirMetersWhileThereAreFew() {
        create("a");
        create("b");
        of("b").onAppended(3, 300);
        reconcile();

        assertThat(metered()).containsExactlyInAnyOrder("a", "b");
        assertThat(registry.get("millrace.destination.messages.in")
                        .tag("destination", "b")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
    }

    @Test
    void shouldTakeTheMetersOfADeletedDestinationAway() {
        create("a");
        create("b");
        reconcile();
        metrics.remove(id("a"));
        reconcile();

        assertThat(metered()).containsExactly("b");
        assertThat(meters.count()).isEqualTo(1);
    }

    @Test
    void shouldGiveMetersToThoseInUseWhereThereAreTooMany() {
        for (int i = 0; i < 1_000; i++) {
            create("q" + i);
        }
        reconcile();
        assertThat(metered()).hasSize(10);
        for (int i = 500; i < 505; i++) {
            of("q" + i).onDelivered(1, 0, 100);
        }
        Set<String> before = metered();
        reconcile();

        assertThat(metered()).hasSize(10).contains("q500", "q501", "q502", "q503", "q504");
        assertThat(metered().stream().filter(before::contains)).hasSize(5);
        assertThat(meters.count()).isEqualTo(10);
    }

    @Test
    void shouldPreferThoseThatHoldMessagesAmongThoseNotInUse() {
        for (int i = 0; i < 100; i++) {
            create("q" + i);
        }
        of("q77").publish(new PartitionMetrics.Load(5, 0, 0, 0));
        reconcile();

        assertThat(metered()).contains("q77");
    }

    @Test
    void shouldKeepInTheSumsWhatADeletedDestinationCounted() {
        create("a");
        of("a").onAppended(7, 70);
        metrics.remove(id("a"));

        assertThat(metrics.total(PartitionMetrics.Count.MESSAGES_IN)).isEqualTo(7);
    }
}
