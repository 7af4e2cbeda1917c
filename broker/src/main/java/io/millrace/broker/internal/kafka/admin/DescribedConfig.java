package io.millrace.broker.internal.kafka.admin;

import java.util.List;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/**
 * One setting as it is told to clients.
 *
 * @param value what applies; null if it is sensitive, or has neither value nor default
 * @param source where that comes from
 * @param readOnly whether it takes a restart to change it
 * @param sensitive whether its value is told to nobody
 * @param synonyms all that is set for it and its default, the one that applies first
 */
public record DescribedConfig(
        String name,
        @Nullable String value,
        ConfigSource source,
        ConfigType type,
        boolean readOnly,
        boolean sensitive,
        List<Synonym> synonyms,
        String documentation) {

    /**
     * One place where a setting is set.
     *
     * @param name its name there
     */
    public record Synonym(String name, @Nullable String value, ConfigSource source) {}

    public DescribedConfig {
        synonyms = List.copyOf(synonyms);
    }
}
