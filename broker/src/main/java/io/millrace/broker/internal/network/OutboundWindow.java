package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes that wait for one client to read them. Above the bound the connection is congested: deliveries wait, and the client is no
 * longer read, so that it cannot ask for more answers. Below half of the bound all of that ends.
 *
 * <p>While all clients together leave more unread than the broker's budget, whoever has anything unread is congested, until it has read
 * everything: those who read go on, those who do not get no more. When it is a quarter more, nobody gets any until there is room: a large
 * message for each of many that read nothing would be too much. May be used from any thread.
 */
final class OutboundWindow {

    private final ReadGate gate;
    private final long maxBytes;
    private final ByteBudget budget;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean congested;
    private volatile long lastProgressNs;

    OutboundWindow(ReadGate gate, long maxBytes, ByteBudget budget, TimeSource time) {
        this.gate = gate;
        this.maxBytes = maxBytes;
        this.budget = budget;
        this.time = time;
        this.lastProgressNs = time.nanoTime();
    }

    void add(long count) {
        budget.add(count);
        if (bytes.getAndAdd(count) == 0) {
            lastProgressNs = time.nanoTime();
        }
        if (!congested && isTooMuch()) {
            update();
        }
    }

    void remove(long count) {
        budget.remove(count);
        bytes.addAndGet(-count);
        lastProgressNs = time.nanoTime();
        if (congested && isLittle()) {
            update();
        }
    }

    boolean isCongested() {
        return congested || budget.isFarOver();
    }

    private boolean isTooMuch() {
        long unread = bytes.get();
        return unread > maxBytes || (unread > 0 && budget.isOver());
    }

    private boolean isLittle() {
        long unread = bytes.get();
        return unread == 0 || (unread <= maxBytes / 2 && !budget.isOver());
    }

    /** Returns how many bytes wait for the client. */
    long bytes() {
        return bytes.get();
    }

    /** Returns when the client last took something, or was first given something to take. */
    long lastProgressNs() {
        return lastProgressNs;
    }

    void whenClear(Runnable task) {
        if (!congested && budget.isFarOver()) {
            budget.whenUnder(() -> whenClear(task));
            return;
        }
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
            if (!congested && isTooMuch()) {
                congested = true;
                gate.close(ReadGate.Reason.OUTBOUND);
            }
            // Also right after that: whoever took bytes away before saw no congestion, and left it to us to look.
            if (congested && isLittle()) {
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
