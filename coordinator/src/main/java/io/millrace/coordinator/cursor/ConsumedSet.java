package io.millrace.coordinator.cursor;

/** Offsets that every cursor of a partition that survives has consumed, as of the moment at which it was taken. Never changes; from any thread. */
public final class ConsumedSet {

    private final OffsetSet offsets;

    /** Takes over a set that nobody else changes. */
    ConsumedSet(OffsetSet offsets) {
        this.offsets = offsets;
    }

    public boolean contains(long offset) {
        return offsets.contains(offset);
    }

    /** Returns how many there are. */
    public long count() {
        return offsets.count();
    }
}
