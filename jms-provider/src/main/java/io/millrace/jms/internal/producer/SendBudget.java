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
    private final Deque<Room> waiters = new ArrayDeque<>();
    private long usedBytes;

    /** Room for one message, or a place in the line for it. */
    public static final class Room {
        private final int bytes;
        private final CompletableFuture<Void> admitted = new CompletableFuture<>();

        private Room(int bytes) {
            this.bytes = bytes;
        }

        /** Returns a future that is completed when the room is there. */
        public CompletableFuture<Void> admitted() {
            return admitted;
        }
    }

    /** Creates a budget of which nothing is used. */
    public SendBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Asks for room.
     *
     * @param bytes of the message
     * @return the room or the place in the line; must be given back in either case
     */
    public Room take(int bytes) {
        Room room = new Room(bytes);
        lock.lock();
        try {
            if (!waiters.isEmpty() || !fits(bytes)) {
                waiters.add(room);
                return room;
            }
            usedBytes += bytes;
        } finally {
            lock.unlock();
        }
        room.admitted.complete(null);
        return room;
    }

    /** Gives room back, or leaves the line. */
    public void give(Room room) {
        List<Room> admitted = new ArrayList<>();
        lock.lock();
        try {
            if (!waiters.remove(room)) {
                usedBytes -= room.bytes;
            }
            while (!waiters.isEmpty() && fits(waiters.element().bytes)) {
                Room next = waiters.remove();
                usedBytes += next.bytes;
                admitted.add(next);
            }
        } finally {
            lock.unlock();
        }
        admitted.forEach(next -> next.admitted.complete(null));
    }

    private boolean fits(int bytes) {
        return usedBytes == 0 || usedBytes + bytes <= limitBytes;
    }
}
