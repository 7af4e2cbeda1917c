package io.millrace.log.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings that were read and checked. */
public final class ConfigValues {
    /** Nothing set: all defaults. */
    public static final ConfigValues EMPTY = new ConfigValues(Map.of(), List.of());

    private final Map<String, Object> values;
    private final List<String> warnings;

    ConfigValues(Map<String, Object> values, List<String> warnings) {
        this.values = Map.copyOf(values);
        this.warnings = List.copyOf(warnings);
    }

    /**
     * The value that was set, or the default.
     *
     * @throws InvalidConfigException if neither exists
     */
    public <T> T get(ConfigKey<T> key) {
        return find(key).orElseThrow(() -> new InvalidConfigException(key.name() + " must be set"));
    }

    /** The value that was set, or the default, or empty. */
    public <T> Optional<T> find(ConfigKey<T> key) {
        Optional<T> set = findSet(key);
        return set.isPresent() ? set : key.defaultValue();
    }

    /** The value that was set, or empty: the default does not count. */
    public <T> Optional<T> findSet(ConfigKey<T> key) {
        // Only values that this very key's type parsed are stored under its name.
        @SuppressWarnings("unchecked")
        T value = (T) values.get(key.name());
        return Optional.ofNullable(value);
    }

    /** What somebody should be told, such as obsolete settings. */
    public List<String> warnings() {
        return warnings;
    }
}
