package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ReplacedTopicKeys;
import io.millrace.broker.internal.kafka.admin.DescribedConfig.Synonym;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.log.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.jspecify.annotations.Nullable;

/** The settings of a topic or queue: all that exist, whether it was created through Kafka or JMS. From any thread. */
public final class TopicConfigs {

    private final ConfigLayers layers;

    /** @param layers the broker's settings, which apply where a topic has none */
    public TopicConfigs(ConfigLayers layers) {
        this.layers = layers;
    }

    /**
     * Describes all settings.
     *
     * @param origin through which door the topic was created, which some defaults depend on
     * @param own what the topic sets for itself
     */
    public List<DescribedConfig> describe(LogOrigin origin, Map<String, String> own) {
        Map<String, String> effective = layers.current().effectiveTexts(origin, own);
        Map<String, String> defaults = layers.current().originDefaults(origin);
        List<DescribedConfig> described = new ArrayList<>();
        for (ConfigKey<?> key : BrokerKeys.ALL.all()) {
            key.destinationName().ifPresent(name -> described.add(describe(key, name, own, effective, defaults)));
        }
        ReplacedTopicKeys.ALL.forEach(key -> described.add(describeWithoutEffect(key, own.get(key.name()))));
        return described;
    }

    private static DescribedConfig describeWithoutEffect(ConfigKey<?> key, @Nullable String set) {
        List<Synonym> synonyms = new ArrayList<>();
        if (set != null) {
            synonyms.add(new Synonym(key.name(), set, ConfigSource.TOPIC_CONFIG));
        }
        synonyms.add(new Synonym(key.name(), key.defaultText(), ConfigSource.DEFAULT_CONFIG));
        return new DescribedConfig(
                key.name(),
                synonyms.getFirst().value(),
                synonyms.getFirst().source(),
                ConfigLayers.typeOf(key),
                false,
                false,
                synonyms,
                "Accepted, without effect: " + key.documentation());
    }

    private DescribedConfig describe(
            ConfigKey<?> key,
            String name,
            Map<String, String> own,
            Map<String, String> effective,
            Map<String, String> defaults) {
        List<Synonym> synonyms = new ArrayList<>();
        String set = own.get(name);
        if (set != null) {
            synonyms.add(new Synonym(name, set, ConfigSource.TOPIC_CONFIG));
        }
        String byOrigin = defaults.get(name);
        synonyms.addAll(
                byOrigin == null
                        ? layers.of(key)
                        : List.of(new Synonym(key.name(), byOrigin, ConfigSource.DEFAULT_CONFIG)));
        return new DescribedConfig(
                name,
                effective.get(name),
                synonyms.isEmpty()
                        ? ConfigSource.DEFAULT_CONFIG
                        : synonyms.getFirst().source(),
                ConfigLayers.typeOf(key),
                false,
                false,
                synonyms,
                key.documentation());
    }

    /** Returns the value of a setting that applies to a topic, if there is such a setting. */
    public Optional<String> value(String name, LogOrigin origin, Map<String, String> own) {
        return Optional.ofNullable(layers.current().effectiveTexts(origin, own).get(name))
                .or(() -> ReplacedTopicKeys.ALL.stream()
                        .filter(key -> key.name().equals(name))
                        .map(ConfigKey::defaultText)
                        .findFirst());
    }

    /** Returns the key of a setting of topics. */
    Optional<ConfigKey<?>> key(String name) {
        return BrokerConfig.destinationKeys().find(name);
    }
}
