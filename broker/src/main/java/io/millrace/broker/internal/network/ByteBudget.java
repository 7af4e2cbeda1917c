package io.millrace.broker.internal.network;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all connections of this broker hold together, and how many that should be at most. The budget itself refuses nothing:
 * connections that hold bytes while it is {@linkplain #isOver over} stop to take in more, and go on {@linkplain #whenUnder when it is
 * not} any more. May be used from any thread.
 */
final class ByteBudget {

    /** What one connection may bring when it goes on: a read of a socket. So many go on at a time that they stay in the budget. */
    private static final long BYTES_PER_RESUMED = 64 * 1024;

    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    ByteBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Counts bytes; returns whether they are too many now. */
    boolean add(long count) {
        return bytes.addAndGet(count) > limitBytes;
    }

    void remove(long count) {
        bytes.addAndGet(-count);
        if (!waiting.isEmpty()) {
            resumeSome();
        }
    }

    boolean isOver() {
        return bytes.get() > limitBytes;
    }

    /** Returns whether there is a quarter too much: then not even a little more may come. */
    boolean isFarOver() {
        return excessBytes() > limitBytes / 4;
    }

    /** Returns how many bytes there are too many; 0 or less if there is room. */
    long excessBytes() {
        return bytes.get() - limitBytes;
    }

    long bytes() {
        return bytes.get();
    }

    /** Runs a task once when there is room again. */
    void whenUnder(Runnable task) {
        waiting.add(task);
        resumeSome();
    }

    /**
     * Lets those go on for whom there is room. Besides when bytes are given back, this is to be called now and then: those that were let
     * go on may have had nothing to bring.
     */
    void resumeSome() {
        long room = limitBytes - bytes.get();
        while (room > 0) {
            Runnable task = waiting.poll();
            if (task == null) {
                return;
            }
            room -= BYTES_PER_RESUMED;
            task.run();
        }
    }
}
