package io.millrace.log.internal.sync;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The forces of one round, at the same time: a disk does several with little more time than one, since each waits for the same flush of its
 * cache.
 */
public final class SyncRound {
    private final Executor helpers;

    /**
     * @param helpers runs all forces but one, which the calling thread takes
     */
    public SyncRound(Executor helpers) {
        this.helpers = helpers;
    }

    /**
     * Runs all forces, and returns when all have ended.
     *
     * @return what failed, or {@code null} if everything is durable; {@link TryAgainException#isHarmless} if nothing worse did
     */
    public @Nullable IOException run(List<SyncJob.Force> forces) {
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        CountDownLatch running = new CountDownLatch(forces.size());
        for (int i = 1; i < forces.size(); i++) {
            SyncJob.Force force = forces.get(i);
            try {
                helpers.execute(() -> run(force, failure, running));
            } catch (RejectedExecutionException e) {
                // The helpers are shut down: this thread does it all.
                run(force, failure, running);
            }
        }
        if (!forces.isEmpty()) {
            run(forces.getFirst(), failure, running);
        }
        awaitUninterruptibly(running);
        return failure.get();
    }

    private static void run(
            SyncJob.Force force, AtomicReference<@Nullable IOException> failure, CountDownLatch running) {
        try {
            force.run();
        } catch (IOException e) {
            // A file that could not be opened says nothing; a force that failed is what counts.
            failure.accumulateAndGet(
                    e, (known, found) -> known == null || TryAgainException.isHarmless(known) ? found : known);
        } catch (RuntimeException e) {
            // A bug, but one after which nobody may believe that anything is durable.
            failure.compareAndSet(null, new IOException("force ended with " + e, e));
        } finally {
            running.countDown();
        }
    }

    /** Whoever interrupts the syncer wants it to end, which it does between rounds. */
    private static void awaitUninterruptibly(CountDownLatch running) {
        boolean interrupted = false;
        while (true) {
            try {
                running.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
