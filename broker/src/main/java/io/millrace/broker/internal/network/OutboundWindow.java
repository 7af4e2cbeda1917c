package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes that wait for one client to read them. Above the bound the connection is congested: deliveries wait, and the client is no
 * longer read, so that it cannot ask for more answers. Below half of the bound all of that ends. May be used from any thread.
 */
final class OutboundWindow {

    private final ReadGate gate;
    private final long maxBytes;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
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
            update();
        }
    }

    void remove(long count) {
        bytes.addAndGet(-count);
        lastProgressNs = time.nanoTime();
        if (congested && bytes.get() <= maxBytes / 2) {
            update();
        }
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

    /**
     * Brings the state and the gate in line with the bytes, both in one step: a gate that is closed by one thread after another thread has
     * opened it would stay closed, and the client would not be read any more.
     */
    private void update() {
        boolean cleared = false;
        lock.lock();
        try {
            if (!congested && bytes.get() > maxBytes) {
                congested = true;
                gate.close(ReadGate.Reason.OUTBOUND);
            }
            // Also right after that: whoever took bytes away before saw no congestion, and left it to us to look.
            if (congested && bytes.get() <= maxBytes / 2) {
                congested = false;
                gate.open(ReadGate.Reason.OUTBOUND);
                cleared = true;
            }
        } finally {
            lock.unlock();
        }
        if (cleared) {
            runWaiting();
        }
    }

    private void runWaiting() {
        for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
            task.run();
        }
    }
}
