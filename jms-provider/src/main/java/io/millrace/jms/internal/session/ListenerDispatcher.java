package io.millrace.jms.internal.session;

import io.millrace.jms.internal.transport.Loop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls the MessageListeners of one session, one call at a time (Jakarta Messaging 6.2.5, 8.7). STOPPED <-> RUNNING; a listener that throws
 * makes a pause, longer each time, so that a message that nobody can process does not keep the machine busy. Usable from any thread.
 */
final class ListenerDispatcher {

    private static final long FIRST_PAUSE_NS = 10_000_000;
    private static final long MAX_PAUSE_NS = 1_000_000_000;

    /** Other sessions' turns on the pool come in between after so many messages. */
    private static final int MESSAGES_PER_TURN = 256;

    /** A consumer that has a listener, perhaps. */
    interface Target {
        /** Calls the listener with the next message; false if there is none. */
        boolean dispatchOne();

        /** The listener waits for a message. */
        void hunger();
    }

    private final Loop loop;
    private final Executor serial;
    private final List<Target> targets = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();
    private boolean running;
    private boolean paused;
    private boolean woken;
    private long pauseNs = FIRST_PAUSE_NS;
    private @Nullable Thread caller;

    /**
     * Creates a dispatcher that is stopped.
     *
     * @param loop for pauses
     * @param serial runs one task at a time
     */
    ListenerDispatcher(Loop loop, Executor serial) {
        this.loop = loop;
        this.serial = serial;
    }

    void add(Target target) {
        targets.add(target);
    }

    void remove(Target target) {
        targets.remove(target);
    }

    /** There may be a message for a listener. */
    void wake() {
        lock.lock();
        try {
            if (woken || paused || !running || targets.isEmpty()) {
                return;
            }
            woken = true;
        } finally {
            lock.unlock();
        }
        serial.execute(this::runTurn);
    }

    void start() {
        lock.lock();
        try {
            running = true;
        } finally {
            lock.unlock();
        }
        wake();
    }

    /** Lets no listener be called any more, and waits for one that is being called, unless that is who asks. */
    void stop() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            running = false;
            returned.signalAll();
            while (caller != null && !caller.equals(Thread.currentThread())) {
                returned.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the calling thread is in a listener of this session. */
    boolean inListener() {
        lock.lock();
        try {
            return Thread.currentThread().equals(caller);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the listener that is being called, if any, has returned; at once if that is who asks. */
    void awaitReturn() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (caller != null && !caller.equals(Thread.currentThread())) {
                returned.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A listener has thrown: the next call has to wait. */
    void onListenerFailed() {
        long ns;
        lock.lock();
        try {
            paused = true;
            ns = pauseNs;
            pauseNs = Math.min(pauseNs * 2, MAX_PAUSE_NS);
        } finally {
            lock.unlock();
        }
        loop.schedule(ns, () -> {
            lock.lock();
            try {
                paused = false;
                returned.signalAll();
            } finally {
                lock.unlock();
            }
            wake();
        });
    }

    /** A listener has returned. */
    void onListenerSucceeded() {
        lock.lock();
        try {
            pauseNs = FIRST_PAUSE_NS;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Calls a listener on this thread, after the pause that one that threw has made.
     *
     * @return false if listeners are not to be called now
     */
    boolean call(Runnable listener) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running && (paused || caller != null)) {
                returned.await();
            }
            if (!running) {
                return false;
            }
            caller = Thread.currentThread();
        } finally {
            lock.unlock();
        }
        try {
            listener.run();
            return true;
        } finally {
            end();
        }
    }

    private void runTurn() {
        if (!begin()) {
            return;
        }
        boolean more = true;
        try {
            int budget = MESSAGES_PER_TURN;
            while (more && budget > 0 && mayGoOn()) {
                more = false;
                for (Target target : targets) {
                    if (mayGoOn() && target.dispatchOne()) {
                        more = true;
                        budget--;
                    }
                }
            }
        } finally {
            end();
        }
        if (more) {
            wake();
        } else {
            targets.forEach(Target::hunger);
        }
    }

    private boolean begin() {
        lock.lock();
        try {
            woken = false;
            if (!running || paused) {
                return false;
            }
            caller = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean mayGoOn() {
        lock.lock();
        try {
            return running && !paused;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            caller = null;
            returned.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
