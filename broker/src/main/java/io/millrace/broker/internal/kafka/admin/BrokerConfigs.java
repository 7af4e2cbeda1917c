package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ReplacedKey;
import io.millrace.broker.internal.kafka.admin.DescribedConfig.Synonym;
import io.millrace.log.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;

/** The settings of this broker, and those of Kafka's that it accepts and does without. From any thread. */
public final class BrokerConfigs {

    private final ConfigLayers layers;

    /** @param layers where they are set */
    public BrokerConfigs(ConfigLayers layers) {
        this.layers = layers;
    }

    /** Describes all settings of this broker. */
    public List<DescribedConfig> describe() {
        List<DescribedConfig> described = new ArrayList<>();
        for (ConfigKey<?> key : BrokerKeys.ALL.all()) {
            described.add(describe(key, layers.of(key)));
        }
        for (ReplacedKey key : ReplacedKey.all()) {
            described.add(describe(key, layers.ofReplaced(key)));
        }
        return described;
    }

    /** Describes what is set for all brokers. */
    public List<DescribedConfig> describeCluster() {
        List<DescribedConfig> described = new ArrayList<>();
        layers.ofCluster()
                .forEach((name, value) -> key(name)
                        .ifPresent(key -> described.add(describeAnyOf(
                                key, List.of(new Synonym(name, value, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG))))));
        return described;
    }

    /** Returns the key of a setting of brokers. */
    Optional<ConfigKey<?>> key(String name) {
        return BrokerKeys.ALL
                .find(name)
                .or(() -> ReplacedKey.find(name)
                        .map(key -> ConfigKey.ofString(name).withDefault(key.defaultText())));
    }

    private static DescribedConfig describeAnyOf(ConfigKey<?> key, List<Synonym> synonyms) {
        return ReplacedKey.find(key.name())
                .map(replaced -> describe(replaced, synonyms))
                .orElseGet(() -> describe(key, synonyms));
    }

    private static DescribedConfig describe(ReplacedKey key, List<Synonym> synonyms) {
        return new DescribedConfig(
                key.name(),
                synonyms.isEmpty() ? null : synonyms.getFirst().value(),
                synonyms.isEmpty()
                        ? ConfigSource.DEFAULT_CONFIG
                        : synonyms.getFirst().source(),
                ConfigType.STRING,
                false,
                false,
                synonyms,
                "Accepted, without effect: " + key.replacement());
    }

    private static DescribedConfig describe(ConfigKey<?> key, List<Synonym> synonyms) {
        boolean sensitive = key.name().contains("password");
        return new DescribedConfig(
                key.name(),
                sensitive || synonyms.isEmpty() ? null : synonyms.getFirst().value(),
                synonyms.isEmpty()
                        ? ConfigSource.DEFAULT_CONFIG
                        : synonyms.getFirst().source(),
                sensitive ? ConfigType.PASSWORD : ConfigLayers.typeOf(key),
                !BrokerConfig.isDynamic(key.name()),
                sensitive,
                sensitive ? List.of() : synonyms,
                key.documentation());
    }
}
