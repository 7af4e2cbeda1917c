package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.GroupLevelKeys;
import io.millrace.log.config.ConfigKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;

/** The settings of groups. From any thread. */
public final class GroupConfigs {

    /** Kafka tells nobody of these, which are its own business; whoever sets one sees that. */
    private static final Set<String> INTERNAL = Set.of(
            GroupLevelKeys.CONSUMER_ASSIGNOR_OFFLOAD.name(),
            GroupLevelKeys.SHARE_ASSIGNOR_OFFLOAD.name(),
            GroupLevelKeys.STREAMS_ASSIGNOR_OFFLOAD.name(),
            GroupLevelKeys.STREAMS_WARMUP_REPLICAS.name(),
            GroupLevelKeys.STREAMS_ACCEPTABLE_LAG.name(),
            GroupLevelKeys.STREAMS_TASK_OFFSET_INTERVAL_MS.name());

    private final ConfigLayers layers;

    /** @param layers the broker's settings, which apply where a group has none */
    public GroupConfigs(ConfigLayers layers) {
        this.layers = layers;
    }

    /**
     * Describes all settings of a group.
     *
     * @param own what is set for it
     */
    public List<DescribedConfig> describe(Map<String, String> own) {
        return GroupLevelKeys.ALL.all().stream()
                .filter(key -> own.containsKey(key.name()) || !INTERNAL.contains(key.name()))
                .map(key -> DescribedConfig.ofOwn(key, own.get(key.name()), ConfigSource.GROUP_CONFIG, ofBroker(key)))
                .toList();
    }

    private List<DescribedConfig.Synonym> ofBroker(ConfigKey<?> key) {
        String name = key.name().equals(GroupLevelKeys.STREAMS_ASSIGNOR.name())
                ? "group.streams.assignors"
                : "group." + key.name();
        Optional<ConfigKey<?>> broker = BrokerKeys.ALL.find(name);
        return broker.isPresent()
                ? layers.of(broker.get())
                : ConfigLayers.defaultText(key)
                        .map(value -> new DescribedConfig.Synonym(key.name(), value, ConfigSource.DEFAULT_CONFIG))
                        .stream()
                        .toList();
    }

    /** Returns the key of a setting of groups. */
    Optional<ConfigKey<?>> key(String name) {
        return GroupLevelKeys.ALL.find(name);
    }
}
