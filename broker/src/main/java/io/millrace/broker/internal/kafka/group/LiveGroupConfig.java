package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;

/** The settings of the coordinator, of which it asks for those that can be changed each time it needs them. From any thread. */
final class LiveGroupConfig extends AbstractConfig {

    private final Supplier<BrokerConfig> current;

    /**
     * @param texts what the broker was started with
     * @param current what applies now
     */
    LiveGroupConfig(Map<String, String> texts, Supplier<BrokerConfig> current) {
        super(GroupCoordinatorConfig.CONFIG_DEF, texts, false);
        this.current = current;
    }

    @Override
    protected Object get(String name) {
        Object atStart = super.get(name);
        // Kafka's class reads others of its values while it is made.
        return current != null && GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS.contains(name)
                ? BrokerKeys.ALL
                        .find(name)
                        .flatMap(key -> (Optional<?>) current.get().find(key))
                        .map(Object.class::cast)
                        .orElse(atStart)
                : atStart;
    }
}
