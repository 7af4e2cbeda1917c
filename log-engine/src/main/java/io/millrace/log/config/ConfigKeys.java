package io.millrace.log.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that something has, and the obsolete ones that it still accepts. Unknown ones are errors, since a setting that is misspelled
 * and ignored is worse than a broker that does not start.
 */
public final class ConfigKeys {
    private final Map<String, ConfigKey<?>> keys = new LinkedHashMap<>();
    private final Map<String, String> obsolete = new LinkedHashMap<>();

    private ConfigKeys() {}

    /** The given keys, in this order. */
    public static ConfigKeys of(Collection<? extends ConfigKey<?>> keys) {
        ConfigKeys result = new ConfigKeys();
        for (ConfigKey<?> key : keys) {
            if (result.keys.put(key.name(), key) != null) {
                throw new IllegalArgumentException(key.name() + " is declared twice");
            }
        }
        return result;
    }

    /** These keys and those of other modules. */
    public ConfigKeys and(ConfigKeys others) {
        List<ConfigKey<?>> all = new ArrayList<>(keys.values());
        all.addAll(others.keys.values());
        ConfigKeys result = of(all);
        result.obsolete.putAll(obsolete);
        result.obsolete.putAll(others.obsolete);
        return result;
    }

    /** These keys, and a name that is accepted with a warning: {@code replacement} says what to use or do instead. */
    public ConfigKeys withObsolete(String name, String replacement) {
        ConfigKeys result = of(keys.values());
        result.obsolete.putAll(obsolete);
        result.obsolete.put(name, replacement);
        return result;
    }

    /** The keys, in the order of declaration. */
    public List<ConfigKey<?>> all() {
        return List.copyOf(keys.values());
    }

    /** Names that are accepted and do nothing, with what replaced them. */
    public Map<String, String> obsolete() {
        return Map.copyOf(obsolete);
    }

    public Optional<ConfigKey<?>> find(String name) {
        return Optional.ofNullable(keys.get(name));
    }

    /** The keys that destinations may override, under their names there. */
    public ConfigKeys perDestination() {
        List<ConfigKey<?>> there = new ArrayList<>();
        for (ConfigKey<?> key : keys.values()) {
            if (key.destinationName().isPresent()) {
                there.add(key.destinationKey());
            }
        }
        return of(there);
    }

    /**
     * Reads settings.
     *
     * @param texts values by name
     * @throws InvalidConfigException if one is unknown or wrong; the message names all such, with suggestions
     */
    public ConfigValues parse(Map<String, String> texts) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<String> warnings = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        texts.forEach((name, text) -> {
            ConfigKey<?> key = keys.get(name);
            String replacement = obsolete.get(name);
            if (key != null) {
                try {
                    values.put(name, key.parse(text));
                } catch (InvalidConfigException e) {
                    errors.add(String.valueOf(e.getMessage()));
                }
            } else if (replacement != null) {
                warnings.add(name + " is obsolete and has no effect: " + replacement);
            } else {
                errors.add("unknown setting " + name + suggestion(name));
            }
        });
        if (!errors.isEmpty()) {
            throw new InvalidConfigException(String.join("; ", errors));
        }
        return new ConfigValues(values, warnings);
    }

    private String suggestion(String name) {
        return nearest(name).map(near -> " (did you mean " + near + "?)").orElse("");
    }

    /** The known name that is most like this one, if any is like it at all. */
    Optional<String> nearest(String name) {
        String best = "";
        int bestDistance = Math.max(2, name.length() / 4) + 1;
        for (String known : keys.keySet()) {
            int distance = distance(name, known);
            if (distance < bestDistance) {
                best = known;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Letters to insert, remove or replace to make one of the other (Levenshtein). */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
