package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.ClientMetricsKeys;
import io.millrace.broker.config.DynamicKeys;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.log.config.ConfigKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;

/** Finds what a request for settings means. From any thread. */
public final class ConfigResources {

    private final KafkaTopics topics;
    private final int brokerId;
    private final TopicConfigs topicConfigs;
    private final BrokerConfigs brokerConfigs;
    private final GroupConfigs groupConfigs;
    private final BrokerLoggers loggers;

    public ConfigResources(
            KafkaTopics topics,
            int brokerId,
            TopicConfigs topicConfigs,
            BrokerConfigs brokerConfigs,
            GroupConfigs groupConfigs,
            BrokerLoggers loggers) {
        this.groupConfigs = groupConfigs;
        this.loggers = loggers;
        this.topics = topics;
        this.brokerId = brokerId;
        this.topicConfigs = topicConfigs;
        this.brokerConfigs = brokerConfigs;
    }

    /**
     * Describes the settings of a resource.
     *
     * @throws org.apache.kafka.common.errors.ApiException if there is none such
     */
    public List<DescribedConfig> describe(ConfigResource.Type type, String name) {
        return switch (type) {
            case TOPIC -> describe(topic(name));
            case BROKER -> {
                if (name.isEmpty()) {
                    yield brokerConfigs.describeCluster();
                }
                requireThisBroker(name);
                yield brokerConfigs.describe();
            }
            case BROKER_LOGGER -> {
                requireThisBroker(name);
                yield loggers.describe();
            }
            case GROUP -> groupConfigs.describe(topics.image().config(new ConfigScope.Group(requireGroup(name))));
            case CLIENT_METRICS -> describeMetrics(requireMetrics(name));
            case UNKNOWN -> throw new InvalidRequestException("Unsupported resource type: " + type);
        };
    }

    /**
     * Returns where the settings of a resource are kept.
     *
     * @throws org.apache.kafka.common.errors.ApiException if they cannot be changed
     */
    public ConfigScope scope(ConfigResource.Type type, String name) {
        return switch (type) {
            case TOPIC -> {
                if (name.isEmpty()) {
                    throw new InvalidRequestException("Default topic resources are not allowed.");
                }
                yield new ConfigScope.Log(topic(name).logId());
            }
            case BROKER -> {
                if (name.isEmpty()) {
                    yield new ConfigScope.Cluster();
                }
                int id = brokerId(name);
                if (topics.image().broker(id).isEmpty()) {
                    throw new BrokerIdNotRegisteredException("No broker with id " + id + " found.");
                }
                yield new ConfigScope.Broker(id);
            }
            case GROUP -> new ConfigScope.Group(requireGroup(name));
            case BROKER_LOGGER ->
                throw new InvalidRequestException(
                        "Levels of loggers are changed one by one (IncrementalAlterConfigs).");
            case CLIENT_METRICS -> new ConfigScope.ClientMetrics(requireMetrics(name));
            case UNKNOWN -> throw new InvalidRequestException("Unexpected resource type " + type);
        };
    }

    private List<DescribedConfig> describe(LogInfo topic) {
        return topicConfigs.describe(topic.origin(), topic.config());
    }

    /** Returns the key of a setting of a resource, if there is one of this name. */
    public Optional<ConfigKey<?>> key(ConfigScope scope, String name) {
        return switch (scope) {
            case ConfigScope.Log log -> topicConfigs.key(name);
            case ConfigScope.Group group -> groupConfigs.key(name);
            case ConfigScope.ClientMetrics metrics -> ClientMetricsKeys.ALL.find(name);
            case ConfigScope.Broker broker -> brokerConfigs.key(name);
            case ConfigScope.Cluster cluster -> brokerConfigs.key(name);
        };
    }

    /** Returns the value that a setting has without one in its own scope. */
    public Optional<String> otherwise(ConfigScope scope, ConfigKey<?> key) {
        return switch (scope) {
            case ConfigScope.Log log -> topicConfigs.value(key.name(), LogOrigin.KAFKA, Map.of());
            case ConfigScope.Group group -> ConfigLayers.defaultText(key);
            case ConfigScope.ClientMetrics metrics -> ConfigLayers.defaultText(key);
            case ConfigScope.Broker broker -> ConfigLayers.defaultText(key);
            case ConfigScope.Cluster cluster -> ConfigLayers.defaultText(key);
        };
    }

    /** Says whether a setting can be changed while brokers run. */
    public static boolean isDynamic(ConfigScope scope, String key) {
        return switch (scope) {
            case ConfigScope.Log log -> true;
            case ConfigScope.Group group -> true;
            case ConfigScope.ClientMetrics metrics -> true;
            case ConfigScope.Broker broker -> DynamicKeys.isDynamic(key);
            case ConfigScope.Cluster cluster -> DynamicKeys.isDynamic(key);
        };
    }

    /** Returns the metadata that all of this is read from. */
    public MetadataImage image() {
        return topics.image();
    }

    private LogInfo topic(String name) {
        Topic.validate(name);
        return topics.named(name)
                .orElseThrow(() -> new UnknownTopicOrPartitionException("The topic '" + name + "' does not exist."));
    }

    private List<DescribedConfig> describeMetrics(String name) {
        Map<String, String> own = topics.image().config(new ConfigScope.ClientMetrics(name));
        return ClientMetricsKeys.ALL.all().stream()
                .map(key ->
                        DescribedConfig.ofOwn(key, own.get(key.name()), ConfigSource.CLIENT_METRICS_CONFIG, List.of()))
                .toList();
    }

    private static String requireMetrics(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Client metrics subscription name must not be empty");
        }
        return name;
    }

    private static String requireGroup(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default group resources are not allowed.");
        }
        return name;
    }

    /**
     * Returns the loggers of a broker.
     *
     * @throws org.apache.kafka.common.errors.ApiException if it is another broker than this
     */
    public BrokerLoggers loggers(String broker) {
        requireThisBroker(broker);
        return loggers;
    }

    private void requireThisBroker(String name) {
        if (brokerId(name) != brokerId) {
            throw new InvalidRequestException(
                    "Unexpected broker id, expected " + brokerId + " or empty string, but received " + name);
        }
    }

    private static int brokerId(String name) {
        try {
            int id = Integer.parseInt(name);
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            throw new InvalidRequestException("Broker id must be an integer, but it is: " + name, e);
        }
        throw new InvalidRequestException("Broker id must not be negative, but it is: " + name);
    }
}
