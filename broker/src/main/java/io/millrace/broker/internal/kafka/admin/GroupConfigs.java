package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.GroupLevelKeys;
import io.millrace.broker.internal.kafka.admin.DescribedConfig.Synonym;
import io.millrace.log.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;

/** The settings of groups. From any thread. */
public final class GroupConfigs {

    /**
     * Describes all settings of a group.
     *
     * @param own what is set for it
     */
    public List<DescribedConfig> describe(Map<String, String> own) {
        List<DescribedConfig> described = new ArrayList<>();
        for (ConfigKey<?> key : GroupLevelKeys.ALL.all()) {
            List<Synonym> synonyms = new ArrayList<>();
            String set = own.get(key.name());
            if (set != null) {
                synonyms.add(new Synonym(key.name(), set, ConfigSource.GROUP_CONFIG));
            }
            ConfigLayers.defaultText(key)
                    .ifPresent(value -> synonyms.add(new Synonym(key.name(), value, ConfigSource.DEFAULT_CONFIG)));
            described.add(new DescribedConfig(
                    key.name(),
                    synonyms.isEmpty() ? null : synonyms.getFirst().value(),
                    synonyms.isEmpty()
                            ? ConfigSource.DEFAULT_CONFIG
                            : synonyms.getFirst().source(),
                    ConfigLayers.typeOf(key),
                    false,
                    false,
                    synonyms,
                    key.documentation()));
        }
        return described;
    }

    /** Returns the key of a setting of groups. */
    Optional<ConfigKey<?>> key(String name) {
        return GroupLevelKeys.ALL.find(name);
    }
}
