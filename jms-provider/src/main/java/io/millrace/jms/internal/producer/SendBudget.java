package io.millrace.jms.internal.producer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the bytes of messages that a connection has taken and not yet seen stored: senders beyond it wait in line. A message larger than
 * the whole budget passes when nothing else is on its way. Usable from any thread.
 */
public final class SendBudget {

    private final long limitBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long usedBytes;

    private record Waiter(int bytes, CompletableFuture<Void> admitted) {}

    /** Creates a budget of which nothing is used. */
    public SendBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Asks for room.
     *
     * @param bytes of the message
     * @return completed when there is room, which then is taken. Who stops waiting must {@link #withdraw} it.
     */
    public CompletableFuture<Void> take(int bytes) {
        CompletableFuture<Void> admitted = new CompletableFuture<>();
        lock.lock();
        try {
            if (!waiters.isEmpty() || !fits(bytes)) {
                waiters.add(new Waiter(bytes, admitted));
                return admitted;
            }
            usedBytes += bytes;
        } finally {
            lock.unlock();
        }
        admitted.complete(null);
        return admitted;
    }

    /** Gives room back. */
    public void give(int bytes) {
        List<Waiter> admitted = new ArrayList<>();
        lock.lock();
        try {
            usedBytes -= bytes;
            while (!waiters.isEmpty() && fits(waiters.element().bytes())) {
                Waiter next = waiters.remove();
                usedBytes += next.bytes();
                admitted.add(next);
            }
        } finally {
            lock.unlock();
        }
        admitted.forEach(waiter -> waiter.admitted().complete(null));
    }

    /** Takes a question back; if it was answered meanwhile, gives the room back. */
    public void withdraw(int bytes, CompletableFuture<Void> question) {
        boolean waited;
        lock.lock();
        try {
            waited = waiters.removeIf(waiter -> waiter.admitted().equals(question));
        } finally {
            lock.unlock();
        }
        if (waited) {
            give(0); // whoever stood behind a large one may fit now
        } else {
            give(bytes);
        }
    }

    private boolean fits(int bytes) {
        return usedBytes == 0 || usedBytes + bytes <= limitBytes;
    }
}
