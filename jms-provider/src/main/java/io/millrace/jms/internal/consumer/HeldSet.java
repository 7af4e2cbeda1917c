package io.millrace.jms.internal.consumer;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Messages grouped by the acquisition that they belong to, in the order in which the acquisitions were added. Confined to the loop. */
final class HeldSet {

    private final Map<Acquisition, BitSet> byAcquisition = new LinkedHashMap<>();

    void add(HeldMessage message) {
        byAcquisition
                .computeIfAbsent(message.acquisition(), missing -> new BitSet())
                .set(message.index());
    }

    Map<Acquisition, BitSet> byAcquisition() {
        return byAcquisition;
    }

    /** The messages are dealt with. */
    void drop() {
        byAcquisition.forEach(Acquisition::drop);
    }
}
