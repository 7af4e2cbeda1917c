package io.millrace.coordinator.metadata;

import java.util.Map;

/**
 * What is set for one subscription of clients' metrics.
 *
 * @param name of the subscription
 * @param values by key, at least one
 */
public record ClientMetricsConfig(String name, Map<String, String> values) {

    public ClientMetricsConfig {
        values = Map.copyOf(values);
    }
}
