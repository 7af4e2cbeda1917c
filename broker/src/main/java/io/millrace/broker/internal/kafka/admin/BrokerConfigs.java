package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.DynamicKeys;
import io.millrace.broker.config.OtherNames;
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
            described.add(describe(key.name(), key, layers.of(key)));
        }
        OtherNames.ALL.forEach((other, name) ->
                BrokerKeys.ALL.find(name).ifPresent(key -> described.add(describe(other, key, layers.of(key)))));
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
                .or(() -> Optional.ofNullable(OtherNames.ALL.get(name)).flatMap(BrokerKeys.ALL::find))
                .or(() -> ReplacedKey.find(name).map(ReplacedKey::key));
    }

    private DescribedConfig describeAnyOf(ConfigKey<?> key, List<Synonym> synonyms) {
        return ReplacedKey.find(key.name())
                .map(replaced -> describe(replaced, synonyms))
                .orElseGet(() -> describe(key.name(), key, synonyms));
    }

    private static DescribedConfig describe(ReplacedKey key, List<Synonym> synonyms) {
        return new DescribedConfig(
                key.name(),
                synonyms.isEmpty() ? null : synonyms.getFirst().value(),
                synonyms.isEmpty()
                        ? ConfigSource.DEFAULT_CONFIG
                        : synonyms.getFirst().source(),
                ConfigLayers.typeOf(key.key()),
                false,
                false,
                synonyms,
                "Accepted, without effect: " + key.replacement());
    }

    private DescribedConfig describe(String name, ConfigKey<?> key, List<Synonym> synonyms) {
        boolean sensitive = key.name().contains("password");
        return new DescribedConfig(
                name,
                sensitive
                        ? null
                        : synonyms.stream()
                                .findFirst()
                                .map(Synonym::value)
                                .or(() -> layers.computed(key))
                                .orElse(null),
                synonyms.isEmpty()
                        ? ConfigSource.DEFAULT_CONFIG
                        : synonyms.getFirst().source(),
                sensitive ? ConfigType.PASSWORD : ConfigLayers.typeOf(key),
                !BrokerConfig.isDynamic(key.name()),
                sensitive,
                sensitive ? List.of() : synonyms,
                DynamicKeys.withoutEffect(key.name())
                        .map(why -> "Without effect while the broker runs: " + why + ". " + key.documentation())
                        .orElseGet(key::documentation));
    }
}
