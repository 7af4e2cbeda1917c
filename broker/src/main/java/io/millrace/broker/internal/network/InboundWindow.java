package io.millrace.broker.internal.network;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of one connection's requests that are in work. Above the bound the connection is not read; below half of it, it is again. May
 * be used from any thread.
 */
final class InboundWindow {

    private final ReadGate gate;
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    InboundWindow(ReadGate gate, long maxBytes) {
        this.gate = gate;
        this.maxBytes = maxBytes;
    }

    void add(long count) {
        if (bytes.addAndGet(count) > maxBytes) {
            gate.close(ReadGate.Reason.IN_FLIGHT);
            openIfLow();
        }
    }

    void remove(long count) {
        bytes.addAndGet(-count);
        openIfLow();
    }

    /** Also called after closing: the last byte may have left between the count and the closing. */
    private void openIfLow() {
        if (bytes.get() <= maxBytes / 2 && gate.isClosedFor(ReadGate.Reason.IN_FLIGHT)) {
            gate.open(ReadGate.Reason.IN_FLIGHT);
        }
    }
}
