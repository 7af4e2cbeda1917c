package io.millrace.broker.internal.shard;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a {@link Shard} on a thread of its own, which sleeps while the shard has nothing to do.
 *
 * <p>While timers wait it looks at the clock at least every {@value #MAX_PARK_MS} ms, so that they also fire when the injected clock moves by
 * other means than waiting. Without timers it sleeps until a task comes.
 */
public final class ShardThread implements ShardRunner {

    private static final long MAX_PARK_MS = 50;
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(MAX_PARK_MS);

    private final Shard shard;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean stopping;

    private ShardThread(Shard shard, ThreadFactory threads) {
        this.shard = shard;
        this.thread = threads.newThread(this::run);
    }

    /** Starts a thread that runs the shard until {@link #stop()}. */
    public static ShardThread start(Shard shard, ThreadFactory threads) {
        ShardThread started = new ShardThread(shard, threads);
        shard.wakeBy(started::wake);
        started.thread.start();
        return started;
    }

    /** Returns the shard that this thread runs. */
    public Shard shard() {
        return shard;
    }

    /** Returns true if the caller runs on this shard's thread. */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public void stop() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopping) {
            if (!shard.runTurn()) {
                park();
            }
        }
    }

    /** Whoever queues a task either sees {@code parked} and unparks, or has queued it before {@code idleNs} looks. */
    private void park() {
        parked = true;
        long idleNs = shard.idleNs(shard.hasTimers() ? MAX_PARK_NS : Long.MAX_VALUE);
        if (idleNs > 0 && !stopping) {
            LockSupport.parkNanos(shard, idleNs);
        }
        parked = false;
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }
}
