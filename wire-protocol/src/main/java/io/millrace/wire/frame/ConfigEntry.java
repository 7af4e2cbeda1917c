package io.millrace.wire.frame;

import java.util.Objects;

/**
 * One configuration key of a destination and its value.
 *
 * @param key name of the key
 * @param value its value as text
 */
public record ConfigEntry(String key, String value) {

    /** Checks the ranges. */
    public ConfigEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    static ConfigEntry read(FieldReader in) {
        return new ConfigEntry(in.string("key"), in.string("value"));
    }

    static void write(FieldWriter out, ConfigEntry item) {
        out.string(item.key);
        out.string(item.value);
    }
}
