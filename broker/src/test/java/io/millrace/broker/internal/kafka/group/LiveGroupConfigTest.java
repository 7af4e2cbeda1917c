package io.millrace.broker.internal.kafka.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.DynamicKeys;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.junit.jupiter.api.Test;

/** Settings of the coordinator that are changed while it runs. */
class LiveGroupConfigTest {

    @Test
    void shouldFollowWhatIsChanged() {
        BrokerConfig file = BrokerConfig.of(Map.of("group.consumer.session.timeout.ms", "50000"));
        AtomicReference<BrokerConfig> current = new AtomicReference<>(file);
        GroupCoordinatorConfig config = GroupSettings.coordinator(file, current::get);
        assertThat(config.consumerGroupAssignmentIntervalMs()).isEqualTo(1_000);

        current.set(file.with(Map.of(
                "group.consumer.assignment.interval.ms",
                "7",
                "group.consumer.assignor.offload.enable",
                "false",
                "group.coordinator.cached.buffer.max.bytes",
                "600000")));

        assertThat(config.consumerGroupAssignmentIntervalMs()).isEqualTo(7);
        assertThat(config.consumerGroupAssignorOffloadEnable()).isFalse();
        assertThat(config.cachedBufferMaxBytes()).isEqualTo(600_000);
        assertThat(config.consumerGroupSessionTimeoutMs()).isEqualTo(50_000);
    }

    @Test
    void shouldHaveAllThatKafkaCanChange() {
        assertThat(GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS).allMatch(DynamicKeys::hasEffect);
    }
}
