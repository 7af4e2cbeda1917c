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

/** The threads that clean, and how much they may read and write together. */
public final class CleanerThreads implements Throttle {
    private static final long JOIN_MS = 10_000;

    private final CleanerConfig config;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final List<Thread> threads = new ArrayList<>();

    // Guarded by the lock.
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
        for (int i = 0; i < config.threads(); i++) {
            Thread thread = factory.newThread(() -> run(work));
            threads.add(thread);
            thread.start();
        }
    }

    private void run(BooleanSupplier work) {
        while (!isClosed()) {
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
            while (left > 0 && !closed) {
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
        for (Thread thread : threads) {
            try {
                thread.join(JOIN_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
