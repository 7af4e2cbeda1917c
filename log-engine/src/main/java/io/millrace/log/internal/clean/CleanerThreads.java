package io.millrace.log.internal.clean;

import io.millrace.log.CleanerConfig;
import io.millrace.log.LogClosedException;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The threads that clean, and how much they may read and write together. */
public final class CleanerThreads implements Throttle {
    private static final long JOIN_MS = 10_000;

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final List<Thread> threads = new ArrayList<>();

    private volatile CleanerConfig config;

    // Guarded by the lock.
    private @Nullable Runnable startMissing;
    private boolean closed;
    private long freeAtNs;
    private boolean used;

    public CleanerThreads(CleanerConfig config, TimeSource time) {
        this.config = config;
        this.time = time;
    }

    /**
     * Starts them.
     *
     * @param work does a piece of the work, and answers whether there may be more
     */
    public void start(ThreadFactory factory, BooleanSupplier work) {
        if (!config.enabled()) {
            return;
        }
        lock.lock();
        try {
            startMissing = () -> startMissing(factory, work);
            startMissing(factory, work);
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void startMissing(ThreadFactory factory, BooleanSupplier work) {
        threads.removeIf(thread -> !thread.isAlive());
        for (int i = threads.size(); i < config.threads(); i++) {
            Thread thread = factory.newThread(() -> run(work));
            threads.add(thread);
            thread.start();
        }
    }

    /** Changes how many there are, how fast they work and how long they rest; whether there are any at all is decided at the start. */
    public void reconfigure(CleanerConfig changed) {
        lock.lock();
        try {
            config = changed;
            // Those that rest look again how long they should.
            closing.signalAll();
            if (startMissing != null && !closed) {
                startMissing.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the calling thread is one more than there should be now; it is not counted any more then. */
    private boolean isSuperfluous() {
        lock.lock();
        try {
            return threads.size() > config.threads() && threads.remove(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    private void run(BooleanSupplier work) {
        while (!isClosed() && !isSuperfluous()) {
            if (!work.getAsBoolean()) {
                pause(TimeUnit.MILLISECONDS.toNanos(config.backoffMs()));
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Each byte takes its time; who comes too early waits until those before it are done. */
    @Override
    public void await(int bytes) {
        if (isClosed()) {
            throw new LogClosedException("the cleaner is closed");
        }
        if (config.bytesPerSecond() < Double.MAX_VALUE) {
            pause(waitNsFor(bytes));
        }
    }

    /** Takes the next time that is free for so many bytes, and answers how long it is until then. */
    long waitNsFor(int bytes) {
        long costNs = (long) (bytes / config.bytesPerSecond() * TimeUnit.SECONDS.toNanos(1));
        lock.lock();
        try {
            long now = time.nanoTime();
            long begin = used && freeAtNs - now > 0 ? freeAtNs : now;
            used = true;
            freeAtNs = begin + costNs;
            return begin - now;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long durationNs) {
        lock.lock();
        try {
            long left = durationNs;
            CleanerConfig present = config;
            while (left > 0 && !closed && present.equals(config)) {
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private List<Thread> started() {
        lock.lock();
        try {
            return List.copyOf(threads);
        } finally {
            lock.unlock();
        }
    }

    /** Ends them, and waits until they have ended. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
        for (Thread thread : started()) {
            try {
                thread.join(JOIN_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
