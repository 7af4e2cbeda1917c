package io.millrace.broker.internal.network;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of one connection's requests that are in work. Above the bound the connection is not read; below half of it, it is again. They
 * count against the budget of the broker too: a connection that brings something while that is over is not read until there is room.
 * Requests in work finish whether or not their client is read, so that there always is some day. May be used from any thread.
 */
final class InboundWindow {

    private final ReadGate gate;
    private final long maxBytes;
    private final ByteBudget budget;
    private final Runnable onHeldBack;
    private final AtomicLong bytes = new AtomicLong();

    InboundWindow(ReadGate gate, long maxBytes, ByteBudget budget, Runnable onHeldBack) {
        this.gate = gate;
        this.maxBytes = maxBytes;
        this.budget = budget;
        this.onHeldBack = onHeldBack;
    }

    void add(long count) {
        if (budget.add(count) && !gate.isClosedFor(ReadGate.Reason.BROKER_IN_FLIGHT)) {
            onHeldBack.run();
            gate.close(ReadGate.Reason.BROKER_IN_FLIGHT);
            budget.whenUnder(() -> gate.open(ReadGate.Reason.BROKER_IN_FLIGHT));
        }
        if (bytes.addAndGet(count) > maxBytes) {
            onHeldBack.run();
            gate.close(ReadGate.Reason.IN_FLIGHT);
            openIfLow();
        }
    }

    void remove(long count) {
        bytes.addAndGet(-count);
        budget.remove(count);
        openIfLow();
    }

    /** Also called after closing: the last byte may have left between the count and the closing. */
    private void openIfLow() {
        if (bytes.get() <= maxBytes / 2 && gate.isClosedFor(ReadGate.Reason.IN_FLIGHT)) {
            gate.open(ReadGate.Reason.IN_FLIGHT);
        }
    }
}
