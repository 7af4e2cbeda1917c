package io.millrace.coordinator.metadata;

import java.util.Map;
import java.util.Optional;

/** Knows which configuration keys exist. The controller does not; whoever assembles the broker gives it one. */
@FunctionalInterface
public interface ConfigValidator {

    /**
     * Looks at one value.
     *
     * @param scope what it would apply to
     * @param key its key
     * @param value the value
     * @return what is wrong and what would be right; empty if it may be set
     */
    Optional<String> problem(ConfigScope scope, String key, String value);

    /**
     * Looks at all values of something, each of which may be set.
     *
     * @param values all of them, by key
     * @return what contradicts what; empty if nothing does
     */
    default Optional<String> contradiction(ConfigScope scope, Map<String, String> values) {
        return Optional.empty();
    }
}
