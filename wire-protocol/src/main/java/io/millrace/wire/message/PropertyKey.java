package io.millrace.wire.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/**
 * The name of a property, made ready to be looked up in many records. Immutable.
 *
 * <p>Names are case-sensitive. Two keys of one name are equal.
 */
public final class PropertyKey {

    private final String name;
    private final byte[] nameBytes;
    private final byte[] headerBytes;

    /**
     * Makes a key.
     *
     * @param name of a property, or JMSXGroupID or JMSXGroupSeq
     * @throws IllegalArgumentException if a property cannot have it; see {@link PropertyNames#check}
     */
    public PropertyKey(String name) {
        this.name = PropertyNames.check(name);
        this.nameBytes = name.getBytes(UTF_8);
        this.headerBytes = PropertyHeaders.headerName(name).getBytes(UTF_8);
    }

    /** Returns the name of the property. */
    public String name() {
        return name;
    }

    /** The name of its header in records that Kafka clients wrote. */
    byte[] nameBytes() {
        return nameBytes;
    }

    /** The name of its header in records that JMS clients wrote. */
    byte[] headerBytes() {
        return headerBytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PropertyKey key && key.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
