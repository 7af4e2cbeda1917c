package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ReplacedKey;
import io.millrace.broker.internal.kafka.admin.DescribedConfig.Synonym;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.log.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/** Where a setting of the broker may be set: for this broker, for all brokers, in the file; and its default. From any thread. */
public final class ConfigLayers {

    private final BrokerConfig file;
    private final Supplier<BrokerConfig> current;
    private final int brokerId;
    private final Supplier<MetadataImage> metadata;

    /**
     * Creates the layers.
     *
     * @param file what the broker was started with
     * @param current the settings as they are now
     */
    public ConfigLayers(
            BrokerConfig file, Supplier<BrokerConfig> current, int brokerId, Supplier<MetadataImage> metadata) {
        this.file = file;
        this.current = current;
        this.brokerId = brokerId;
        this.metadata = metadata;
    }

    /** Returns what was set for all brokers while they ran. */
    Map<String, String> ofCluster() {
        return metadata.get().config(new ConfigScope.Cluster());
    }

    private Map<String, String> ofBroker() {
        return metadata.get().config(new ConfigScope.Broker(brokerId));
    }

    /** Returns the settings that apply now. */
    BrokerConfig current() {
        return current.get();
    }

    /** Returns where a setting of the broker is set, the one that applies first. */
    List<Synonym> of(ConfigKey<?> key) {
        List<Synonym> layers = new ArrayList<>();
        add(layers, key, ofBroker().get(key.name()), ConfigSource.DYNAMIC_BROKER_CONFIG);
        add(layers, key, ofCluster().get(key.name()), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        add(layers, key, file.setText(key).orElse(null), ConfigSource.STATIC_BROKER_CONFIG);
        add(layers, key, defaultText(key).orElse(null), ConfigSource.DEFAULT_CONFIG);
        return layers;
    }

    /** Returns where a setting without effect is set. */
    List<Synonym> ofReplaced(ReplacedKey key) {
        List<Synonym> layers = new ArrayList<>();
        add(layers, key.name(), ofBroker().get(key.name()), ConfigSource.DYNAMIC_BROKER_CONFIG);
        add(layers, key.name(), ofCluster().get(key.name()), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        add(layers, key.name(), file.setText(key.name()).orElse(null), ConfigSource.STATIC_BROKER_CONFIG);
        if (!key.defaultText().isEmpty()) {
            add(layers, key.name(), key.defaultText(), ConfigSource.DEFAULT_CONFIG);
        }
        return layers;
    }

    /** Returns what the broker itself puts in the place of a setting that nobody sets. */
    Optional<String> computed(ConfigKey<?> key) {
        if (key.equals(BrokerKeys.NUM_IO_THREADS)) {
            return Optional.of(String.valueOf(file.shards()));
        }
        if (key.equals(BrokerKeys.NUM_NETWORK_THREADS)) {
            return Optional.of(String.valueOf(file.networkThreads()));
        }
        if (key.equals(BrokerKeys.LISTENERS)) {
            return Optional.of(file.listeners().stream()
                    .map(listener -> listener.name() + "://" + listener.address())
                    .collect(Collectors.joining(",")));
        }
        return Optional.empty();
    }

    private static void add(List<Synonym> layers, ConfigKey<?> key, @Nullable String value, ConfigSource source) {
        add(layers, key.name(), value, source);
    }

    private static void add(List<Synonym> layers, String key, @Nullable String value, ConfigSource source) {
        if (value != null) {
            layers.add(new Synonym(key, value, source));
        }
    }

    /** Returns the default, if the key has one of its own. */
    static Optional<String> defaultText(ConfigKey<?> key) {
        return key.defaultValue().map(value -> key.defaultText());
    }

    /** Returns the type as Kafka names it. */
    static ConfigType typeOf(ConfigKey<?> key) {
        return switch (key.type().name()) {
            case "int" -> ConfigType.INT;
            case "long" -> ConfigType.LONG;
            case "double" -> ConfigType.DOUBLE;
            case "boolean" -> ConfigType.BOOLEAN;
            case "list" -> ConfigType.LIST;
            default -> ConfigType.STRING;
        };
    }
}
