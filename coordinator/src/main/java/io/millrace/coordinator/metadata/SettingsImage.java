package io.millrace.coordinator.metadata;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is set for the whole cluster, for groups and for subscriptions of metrics, and the levels of features. Immutable; changed copies share the rest.
 *
 * @param features levels that were set, by name
 */
record SettingsImage(
        Map<String, String> cluster,
        PersistentMap<String, GroupConfig> groups,
        PersistentMap<String, ClientMetricsConfig> clientMetrics,
        Map<String, Short> features) {

    static final SettingsImage EMPTY =
            new SettingsImage(Map.of(), PersistentMap.empty(), PersistentMap.empty(), Map.of());

    SettingsImage clusterConfigured(String key, Optional<String> value) {
        return new SettingsImage(BrokersImage.changed(cluster, key, value), groups, clientMetrics, features);
    }

    SettingsImage groupConfigured(String groupId, String key, Optional<String> value) {
        Map<String, String> before =
                groups.get(groupId).map(GroupConfig::values).orElse(Map.of());
        Map<String, String> after = BrokersImage.changed(before, key, value);
        return new SettingsImage(
                cluster,
                after.isEmpty() ? groups.without(groupId) : groups.with(groupId, new GroupConfig(groupId, after)),
                clientMetrics,
                features);
    }

    SettingsImage clientMetricsConfigured(String name, String key, Optional<String> value) {
        Map<String, String> before =
                clientMetrics.get(name).map(ClientMetricsConfig::values).orElse(Map.of());
        Map<String, String> after = BrokersImage.changed(before, key, value);
        return new SettingsImage(
                cluster,
                groups,
                after.isEmpty()
                        ? clientMetrics.without(name)
                        : clientMetrics.with(name, new ClientMetricsConfig(name, after)),
                features);
    }

    SettingsImage featureChanged(String feature, short level) {
        Map<String, Short> changed = new HashMap<>(features);
        changed.put(feature, level);
        return new SettingsImage(cluster, groups, clientMetrics, Map.copyOf(changed));
    }
}
