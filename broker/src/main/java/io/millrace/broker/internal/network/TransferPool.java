package io.millrace.broker.internal.network;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory of this broker for requests that are larger than a frame. A transfer reserves all its bytes before the first arrives;
 * while the pool is used up, transfers wait for their turn, in the order in which they asked. May be used from any thread.
 */
final class TransferPool {

    private final long capacityBytes;
    private final long largestBytes;
    private final Runnable onWait;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Reservation> waiting = new ArrayDeque<>();
    private long reservedBytes;

    /** @param onWait runs whenever somebody gets no memory at once */
    TransferPool(long capacityBytes, Runnable onWait) {
        this(capacityBytes, capacityBytes, onWait);
    }

    /**
     * A pool that has room for one larger than itself.
     *
     * @param largestBytes what one may have if nobody else has any, at least the capacity
     * @param onWait runs whenever somebody gets no memory at once
     */
    TransferPool(long capacityBytes, long largestBytes, Runnable onWait) {
        if (largestBytes < capacityBytes) {
            throw new IllegalArgumentException(
                    "one may have " + largestBytes + " bytes, and all together " + capacityBytes);
        }
        this.capacityBytes = capacityBytes;
        this.largestBytes = largestBytes;
        this.onWait = onWait;
    }

    /**
     * Asks for memory.
     *
     * @param bytes 1 to the most that one may have
     * @param granted called once when the memory is there, perhaps at once, on the thread of whoever made room
     * @return to be released exactly when the bytes are no longer used, or to withdraw the request
     */
    Reservation reserve(int bytes, Runnable granted) {
        if (bytes < 1 || bytes > largestBytes) {
            throw new IllegalArgumentException("no room for a request of " + bytes + " bytes; the largest has at most "
                    + largestBytes + " bytes of this broker's memory, see transfer.pool.bytes");
        }
        Reservation reservation = new Reservation(bytes, granted);
        boolean waits;
        lock.lock();
        try {
            waits = !waiting.isEmpty() || !fits(bytes);
            waiting.add(reservation);
        } finally {
            lock.unlock();
        }
        if (waits) {
            onWait.run();
        }
        grantWaiting();
        return reservation;
    }

    long reservedBytes() {
        lock.lock();
        try {
            return reservedBytes;
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(int bytes) {
        return reservedBytes == 0 || reservedBytes + bytes <= capacityBytes;
    }

    /** The grants run outside the lock: they reach into connections. */
    private void grantWaiting() {
        List<Reservation> grants = new ArrayList<>();
        lock.lock();
        try {
            for (Reservation next = waiting.peek(); next != null && fits(next.bytes); next = waiting.peek()) {
                waiting.poll();
                reservedBytes += next.bytes;
                next.state = State.GRANTED;
                grants.add(next);
            }
        } finally {
            lock.unlock();
        }
        grants.forEach(reservation -> reservation.granted.run());
    }

    private enum State {
        WAITING,
        GRANTED,
        RELEASED
    }

    /** Memory that somebody has or waits for. */
    final class Reservation {

        private final int bytes;
        private final Runnable granted;
        private State state = State.WAITING;

        private Reservation(int bytes, Runnable granted) {
            this.bytes = bytes;
            this.granted = granted;
        }

        /** Gives the memory back, or withdraws the request for it. Without effect the second time. */
        void release() {
            lock.lock();
            try {
                if (state == State.WAITING) {
                    waiting.remove(this);
                } else if (state == State.GRANTED) {
                    reservedBytes -= bytes;
                }
                state = State.RELEASED;
            } finally {
                lock.unlock();
            }
            grantWaiting();
        }
    }
}
