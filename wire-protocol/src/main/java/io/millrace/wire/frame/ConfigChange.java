package io.millrace.wire.frame;

import java.util.Objects;
import java.util.Optional;

/**
 * A change of one configuration key of a destination.
 *
 * @param key name of the key
 * @param value its new value as text, null to fall back to the broker's
 */
public record ConfigChange(String key, Optional<String> value) {

    /** Checks the ranges. */
    public ConfigChange {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    static ConfigChange read(FieldReader in) {
        return new ConfigChange(in.string("key"), in.nullableString("value"));
    }

    static void write(FieldWriter out, ConfigChange item) {
        out.string(item.key);
        out.nullableString(item.value);
    }
}
