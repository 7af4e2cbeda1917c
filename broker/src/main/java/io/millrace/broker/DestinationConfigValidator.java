package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.ConfigValidator;
import io.millrace.log.config.InvalidConfigException;
import java.util.Map;
import java.util.Optional;

/** Checks what destinations set for themselves. Settings of brokers and of the cluster come from files, so none is taken here. */
final class DestinationConfigValidator implements ConfigValidator {

    @Override
    public Optional<String> problem(ConfigScope scope, String key, String value) {
        return switch (scope) {
            case ConfigScope.Log log -> check(key, value);
            case ConfigScope.Broker broker ->
                Optional.of(key + " is read from the configuration file of broker " + broker.brokerId());
            case ConfigScope.Group group -> Optional.of(key + " is no setting of a group");
            case ConfigScope.Cluster cluster ->
                Optional.of(key + " is read from the configuration files of the brokers");
        };
    }

    private static Optional<String> check(String key, String value) {
        try {
            BrokerConfig.destinationKeys().parse(Map.of(key, value));
            return Optional.empty();
        } catch (InvalidConfigException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }
}
