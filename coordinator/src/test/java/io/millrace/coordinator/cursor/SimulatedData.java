package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The data log of a simulation: which offsets hold records, and which record it is, since offsets are used again after a cut. */
final class SimulatedData {

    /** One record, or a control batch. */
    record Entry(long offset, int generation, boolean control) {}

    private final List<Entry> entries = new ArrayList<>();
    private final boolean flushAck;
    private int generation;
    private long startOffset;
    private long syncedOffset;

    SimulatedData(boolean flushAck) {
        this.flushAck = flushAck;
    }

    Entry entry(long offset) {
        return entries.get(Math.toIntExact(offset));
    }

    long startOffset() {
        return startOffset;
    }

    long endOffset() {
        return entries.size();
    }

    long highWatermark() {
        return flushAck ? syncedOffset : endOffset();
    }

    void append(RandomGenerator random) {
        entries.add(new Entry(entries.size(), generation, random.nextInt(6) == 0));
    }

    void sync() {
        syncedOffset = endOffset();
    }

    void removeBelow(long offset) {
        startOffset = Math.max(startOffset, offset);
    }

    /** The machine stops: some of what was not synced is gone. */
    void cutPower(RandomGenerator random) {
        long survives = Math.max(startOffset, random.nextLong(syncedOffset, endOffset() + 1));
        entries.subList(Math.toIntExact(survives), entries.size()).clear();
        generation++;
        sync();
    }
}
