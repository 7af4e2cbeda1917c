package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that wait for one client to read them. Above the bound the connection is congested: deliveries wait, and the client is no
 * longer read, so that it cannot ask for more answers. Below half of the bound all of that ends. May be used from any thread.
 */
final class OutboundWindow {

    private final ReadGate gate;
    private final long maxBytes;
    private final TimeSource time;
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean congested;
    private volatile long lastProgressNs;

    OutboundWindow(ReadGate gate, long maxBytes, TimeSource time) {
        this.gate = gate;
        this.maxBytes = maxBytes;
        this.time = time;
        this.lastProgressNs = time.nanoTime();
    }

    void add(long count) {
        if (bytes.addAndGet(count) > maxBytes && !congested) {
            congested = true;
            gate.close(ReadGate.Reason.OUTBOUND);
            clearIfLow();
        }
    }

    void remove(long count) {
        bytes.addAndGet(-count);
        lastProgressNs = time.nanoTime();
        clearIfLow();
    }

    boolean isCongested() {
        return congested;
    }

    /** Returns when the client last took something. */
    long lastProgressNs() {
        return lastProgressNs;
    }

    void whenClear(Runnable task) {
        waiting.add(task);
        if (!congested) {
            runWaiting();
        }
    }

    private void clearIfLow() {
        if (congested && bytes.get() <= maxBytes / 2) {
            congested = false;
            gate.open(ReadGate.Reason.OUTBOUND);
            runWaiting();
        }
    }

    private void runWaiting() {
        for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
            task.run();
        }
    }
}
