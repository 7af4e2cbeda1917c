package io.millrace.wire.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record. Names may repeat within a record; order counts.
 *
 * @param name any text, empty included
 * @param value any bytes; {@code null} differs from empty on the wire. The array is not copied: neither side may change it.
 */
@SuppressWarnings(
        "ArrayRecordComponent") // equals and hashCode below go by content; a copy per header would cost every send
public record RecordHeader(String name, byte @Nullable [] value) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordHeader that && name.equals(that.name) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return "RecordHeader[" + name + (value == null ? ", null]" : ", " + value.length + " bytes]");
    }
}
