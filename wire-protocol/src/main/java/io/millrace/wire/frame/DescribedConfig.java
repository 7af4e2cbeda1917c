package io.millrace.wire.frame;

import java.util.Objects;

/**
 * One configuration key in force.
 *
 * @param key name of the key
 * @param value its value as text
 * @param isDefault whether the destination has no value of its own for it
 */
public record DescribedConfig(String key, String value, boolean isDefault) {

    /** Checks the ranges. */
    public DescribedConfig {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    static DescribedConfig read(FieldReader in) {
        return new DescribedConfig(in.string("key"), in.string("value"), in.bool("isDefault"));
    }

    static void write(FieldWriter out, DescribedConfig item) {
        out.string(item.key);
        out.string(item.value);
        out.bool(item.isDefault);
    }
}
