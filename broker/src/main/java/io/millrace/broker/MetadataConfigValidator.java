package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ClientMetricsKeys;
import io.millrace.broker.config.DynamicKeys;
import io.millrace.broker.config.GroupLevelKeys;
import io.millrace.broker.config.ReplacedKey;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.ConfigValidator;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.InvalidConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks what is set while brokers run: for destinations, for groups, and of brokers what they can change then. */
final class MetadataConfigValidator implements ConfigValidator {

    private final BrokerConfig config;

    /** @param config what the broker allows groups to set */
    MetadataConfigValidator(BrokerConfig config) {
        this.config = config;
    }

    @Override
    public Optional<String> problem(ConfigScope scope, String key, String value) {
        return switch (scope) {
            case ConfigScope.Log log -> check(BrokerConfig.destinationKeys(), key, value);
            case ConfigScope.Group group ->
                check(GroupLevelKeys.ALL, key, value).or(() -> GroupCoordination.problem(config, key, value));
            case ConfigScope.ClientMetrics metrics -> check(ClientMetricsKeys.ALL, key, value);
            case ConfigScope.Broker broker -> checkOfBroker(key, value);
            case ConfigScope.Cluster cluster -> checkOfBroker(key, value);
        };
    }

    @Override
    public Optional<String> contradiction(ConfigScope scope, Map<String, String> values) {
        try {
            return switch (scope) {
                case ConfigScope.Log log -> config.contradictionOfDestination(values);
                case ConfigScope.Broker broker -> contradictionOfBroker(values);
                case ConfigScope.Cluster cluster -> contradictionOfBroker(values);
                case ConfigScope.Group group -> Optional.empty();
                case ConfigScope.ClientMetrics metrics -> Optional.empty();
            };
        } catch (InvalidConfigException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    private Optional<String> contradictionOfBroker(Map<String, String> values) {
        BrokerConfig changed = config.with(values);
        GroupCoordination.check(changed);
        return changed.contradictionOfDestination(Map.of());
    }

    private static Optional<String> checkOfBroker(String key, String value) {
        return DynamicKeys.isDynamic(key)
                ? check(BrokerKeys.ALL, key, value).or(() -> check(ReplacedKey.find(key), value))
                : Optional.of(key + " is read from the configuration file when a broker starts");
    }

    /** What has no effect here must still be what it is in Kafka. */
    private static Optional<String> check(Optional<ReplacedKey> replaced, String value) {
        return replaced.flatMap(key -> check(ConfigKeys.of(List.of(key.key())), key.name(), value));
    }

    private static Optional<String> check(ConfigKeys keys, String key, String value) {
        try {
            keys.parse(Map.of(key, value));
            return Optional.empty();
        } catch (InvalidConfigException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }
}
