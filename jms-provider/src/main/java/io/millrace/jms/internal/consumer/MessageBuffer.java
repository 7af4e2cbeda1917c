package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Messages between the loop, which fills it, and the one thread of the application that takes them. While it is stopped nothing can be
 * taken, nor while the server may have lent its messages to somebody else: they would come to the application as new, though others have
 * seen them. The only place of this package with a lock.
 */
public final class MessageBuffer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<HeldMessage> messages = new ArrayDeque<>();
    private Optional<LinkException> failure = Optional.empty();
    private final BooleanSupplier lent;
    private boolean running;
    private boolean closed;
    private long takenCount;

    /** Somebody who waits; set to over when he has waited long enough. Guarded by the buffer's lock. */
    static final class Wait {
        private boolean over;
    }

    /**
     * Creates an empty buffer that is stopped.
     *
     * @param lent whether messages are certainly still ours; asked on any thread
     */
    MessageBuffer(BooleanSupplier lent) {
        this.lent = lent;
    }

    /** Adds a message that was delivered. Returns false if the buffer is closed and the message must go back. */
    boolean offer(HeldMessage message) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            messages.add(message);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a message back in front of all others. */
    void putBack(HeldMessage message) {
        lock.lock();
        try {
            takenCount--;
            messages.addFirst(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next message, if there is one and the buffer runs.
     *
     * @throws LinkException if the consumer has failed
     */
    public Optional<HeldMessage> poll() {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a message.
     *
     * @return empty when the wait is over or the buffer was closed
     * @throws LinkException if the consumer has failed
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<HeldMessage> await(Wait wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Optional<HeldMessage> next = next();
            while (next.isEmpty() && !wait.over && !closed) {
                changed.await();
                next = next();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a wait. */
    void end(Wait wait) {
        lock.lock();
        try {
            wait.over = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets messages be taken, or no longer. */
    public void run(boolean on) {
        lock.lock();
        try {
            running = on;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whoever waits is to look again: the messages are ours again. */
    void lookAgain() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether messages can be taken. */
    boolean running() {
        lock.lock();
        try {
            return running && !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many messages have been taken since the beginning. */
    long takenCount() {
        lock.lock();
        try {
            return takenCount;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing is there to be taken. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return messages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes everything out. */
    List<HeldMessage> drain() {
        lock.lock();
        try {
            List<HeldMessage> all = new ArrayList<>(messages);
            messages.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it: who waits gets nothing. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends it: who waits or comes later is told why. */
    void fail(LinkException why) {
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = Optional.of(why);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Optional<HeldMessage> next() {
        if (closed || !running) {
            return Optional.empty();
        }
        if (!messages.isEmpty() && lent.getAsBoolean()) {
            takenCount++;
            return Optional.of(messages.remove());
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return Optional.empty();
    }
}
