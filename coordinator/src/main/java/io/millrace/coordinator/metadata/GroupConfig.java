package io.millrace.coordinator.metadata;

import java.util.Map;

/**
 * What is set for one group of consumers.
 *
 * @param groupId the group
 * @param values by key, at least one
 */
public record GroupConfig(String groupId, Map<String, String> values) {

    public GroupConfig {
        values = Map.copyOf(values);
    }
}
