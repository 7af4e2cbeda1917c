package io.millrace.wire.record;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record copied out of its batch. For tools, tests and single messages; {@link RecordCursor} reads without copying.
 *
 * @param offset position in the partition, 0 or more
 * @param timestampMs milliseconds since 1970, or -1 for none
 * @param key {@code null} differs from empty on the wire; not copied
 * @param value {@code null} is a tombstone in a compacted log; not copied
 * @param headers in order, names may repeat
 */
@SuppressWarnings({
    "ArrayRecordComponent", // equals and hashCode below go by content; the arrays are private copies already
    "AvoidCommonTypeNames" // the word of the trade; nobody here means java.lang.Record
})
public record Record(
        long offset, long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<RecordHeader> headers) {
    /** Written out, because javac does not pass the nullness of array components on through a compact constructor. */
    public Record(
            long offset, long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<RecordHeader> headers) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset must not be negative, is " + offset);
        }
        this.offset = offset;
        this.timestampMs = timestampMs;
        this.key = key;
        this.value = value;
        this.headers = List.copyOf(headers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Record that
                && offset == that.offset
                && timestampMs == that.timestampMs
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value)
                && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
        int hash = Long.hashCode(offset);
        hash = 31 * hash + Long.hashCode(timestampMs);
        hash = 31 * hash + Arrays.hashCode(key);
        hash = 31 * hash + Arrays.hashCode(value);
        return 31 * hash + headers.hashCode();
    }

    @Override
    public String toString() {
        return "Record[offset=" + offset + ", timestampMs=" + timestampMs + ", key=" + size(key) + ", value="
                + size(value) + ", headers=" + headers + "]";
    }

    private static String size(byte @Nullable [] bytes) {
        return bytes == null ? "null" : bytes.length + " bytes";
    }
}
