package io.millrace.wire.frame;

import java.util.Arrays;

/**
 * Which offsets a {@link Deliver} lends, and how often each was delivered. Two plain arrays, since there is one for every message that
 * passes. Immutable, usable from any thread.
 */
public final class DeliveryEntries {

    private static final int MIN_ENTRY_BYTES = 2;

    private final int[] offsetDeltas;
    private final int[] deliveryCounts;

    private DeliveryEntries(int[] offsetDeltas, int[] deliveryCounts) {
        FieldChecks.require(offsetDeltas.length > 0, "entries", "must not be empty");
        for (int i = 0; i < offsetDeltas.length; i++) {
            FieldChecks.atLeast(i == 0 ? 0 : offsetDeltas[i - 1] + 1L, offsetDeltas[i], "offsetDelta");
            FieldChecks.atLeast(1, deliveryCounts[i], "deliveryCount");
        }
        this.offsetDeltas = offsetDeltas;
        this.deliveryCounts = deliveryCounts;
    }

    /**
     * Creates entries of the same length as both arrays, which are copied.
     *
     * @param offsetDeltas offsets minus the frame's base offset, 0 or more, ascending
     * @param deliveryCounts how often each message has been delivered, this time included, 1 or more
     * @throws InvalidFieldException if the values are out of range, or there are none, or their numbers differ
     */
    public static DeliveryEntries of(int[] offsetDeltas, int[] deliveryCounts) {
        FieldChecks.require(
                offsetDeltas.length == deliveryCounts.length,
                "entries",
                offsetDeltas.length + " offsets, but " + deliveryCounts.length + " delivery counts");
        return new DeliveryEntries(offsetDeltas.clone(), deliveryCounts.clone());
    }

    /** Returns the number of messages. */
    public int count() {
        return offsetDeltas.length;
    }

    /**
     * Returns an offset minus the frame's base offset.
     *
     * @param index 0 to {@link #count()} - 1
     */
    public int offsetDelta(int index) {
        return offsetDeltas[index];
    }

    /**
     * Returns how often a message has been delivered, this time included.
     *
     * @param index 0 to {@link #count()} - 1
     */
    public int deliveryCount(int index) {
        return deliveryCounts[index];
    }

    static DeliveryEntries read(FieldReader in) {
        int count = in.count("entries", MIN_ENTRY_BYTES);
        int[] offsetDeltas = new int[count];
        int[] deliveryCounts = new int[count];
        for (int i = 0; i < count; i++) {
            offsetDeltas[i] = in.varint("offsetDelta");
            deliveryCounts[i] = in.varint("deliveryCount");
        }
        return new DeliveryEntries(offsetDeltas, deliveryCounts);
    }

    static void write(FieldWriter out, DeliveryEntries entries) {
        out.varint(entries.count());
        for (int i = 0; i < entries.count(); i++) {
            out.varint(entries.offsetDeltas[i]);
            out.varint(entries.deliveryCounts[i]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeliveryEntries that
                && Arrays.equals(offsetDeltas, that.offsetDeltas)
                && Arrays.equals(deliveryCounts, that.deliveryCounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(offsetDeltas) + Arrays.hashCode(deliveryCounts);
    }

    @Override
    public String toString() {
        return "deltas " + Arrays.toString(offsetDeltas) + " counts " + Arrays.toString(deliveryCounts);
    }
}
