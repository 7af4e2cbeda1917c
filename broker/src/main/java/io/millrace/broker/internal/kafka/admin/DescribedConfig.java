package io.millrace.broker.internal.kafka.admin;

import io.millrace.log.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /**
     * Describes a setting that anybody may see and change, of something with settings of its own.
     *
     * @param own what is set for it itself; null for nothing
     * @param source where that is
     * @param otherwise what applies where nothing is set, the first one first; none for the default of the key
     */
    static DescribedConfig ofOwn(ConfigKey<?> key, @Nullable String own, ConfigSource source, List<Synonym> otherwise) {
        List<Synonym> synonyms = new ArrayList<>();
        if (own != null) {
            synonyms.add(new Synonym(key.name(), own, source));
        }
        synonyms.addAll(otherwise);
        Optional<Synonym> first = synonyms.stream().findFirst();
        return new DescribedConfig(
                key.name(),
                first.map(Synonym::value)
                        .or(() -> ConfigLayers.defaultText(key))
                        .orElse(null),
                first.map(Synonym::source).orElse(ConfigSource.DEFAULT_CONFIG),
                ConfigLayers.typeOf(key),
                false,
                false,
                synonyms,
                key.documentation());
    }

    public DescribedConfig {
        synonyms = List.copyOf(synonyms);
    }
}
