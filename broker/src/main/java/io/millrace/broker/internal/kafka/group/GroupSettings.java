package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.GroupKeys;
import io.millrace.broker.config.ShareGroupKeys;
import io.millrace.broker.config.StreamsGroupKeys;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;

/** The settings of groups as Kafka's classes take them. */
public final class GroupSettings {

    private GroupSettings() {}

    /** Returns whether one of them differs from its default. */
    static boolean isAnySet(BrokerConfig config) {
        return Stream.of(GroupKeys.ALL, StreamsGroupKeys.ALL, ShareGroupKeys.ALL)
                .flatMap(List::stream)
                .anyMatch(key -> !config.find(key).equals(key.defaultValue()));
    }

    /**
     * Returns the settings of the coordinator.
     *
     * @throws InvalidConfigException if settings contradict each other
     */
    static GroupCoordinatorConfig coordinator(BrokerConfig config) {
        return checked(texts(config), GroupCoordinatorConfig::fromProps);
    }

    /**
     * Returns the settings of the coordinator, some of which follow what is changed.
     *
     * @param current what applies now
     * @throws InvalidConfigException if settings contradict each other
     */
    static GroupCoordinatorConfig coordinator(BrokerConfig config, Supplier<BrokerConfig> current) {
        return checked(texts(config), texts -> new GroupCoordinatorConfig(new LiveGroupConfig(texts, current)));
    }

    private static Map<String, String> texts(BrokerConfig config) {
        Map<String, String> texts = texts(config, GroupKeys.ALL);
        texts.putAll(texts(config, StreamsGroupKeys.ALL));
        texts.putAll(texts(config, ShareGroupKeys.ALL));
        return texts;
    }

    /**
     * Returns the settings of share groups.
     *
     * @throws InvalidConfigException if settings contradict each other
     */
    public static ShareGroupConfig share(BrokerConfig config) {
        return checked(texts(config, ShareGroupKeys.ALL), ShareGroupConfig::fromProps);
    }

    private static <T> T checked(Map<String, String> texts, Function<Map<String, String>, T> parse) {
        try {
            return parse.apply(texts);
        } catch (ConfigException | IllegalArgumentException e) {
            throw new InvalidConfigException("the settings of groups do not fit together: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> texts(BrokerConfig config, List<ConfigKey<?>> keys) {
        Map<String, String> texts = new HashMap<>();
        for (ConfigKey<?> key : keys) {
            config.find(key).ifPresent(value -> texts.put(key.name(), format(key, value)));
        }
        return texts;
    }

    @SuppressWarnings("unchecked") // The value was read by this key.
    private static <T> String format(ConfigKey<T> key, Object value) {
        return key.type().format((T) value);
    }
}
