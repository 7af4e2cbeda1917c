package io.millrace.coordinator.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.raft.ExpirationService;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waits of fetching members after their half second.
 *
 * <p>The Raft core also asks for a timer per append, of 24 days; those are no timers here, or a busy leader would collect millions. So a
 * group of one never starts the thread. Called by the quorum's thread.
 */
final class Expirations implements ExpirationService, AutoCloseable {

    private static final long LONGEST_MS = TimeUnit.DAYS.toMillis(1);

    private final ThreadFactory threads;
    private @Nullable ScheduledThreadPoolExecutor timer;

    Expirations(ThreadFactory threads) {
        this.threads = threads;
    }

    @Override
    public <T> CompletableFuture<T> failAfter(long timeoutMs) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (timeoutMs < LONGEST_MS) {
            ScheduledFuture<?> expiry = timer().schedule(
                            () -> future.completeExceptionally(
                                    new TimeoutException("nothing came within " + timeoutMs + " ms")),
                            timeoutMs,
                            TimeUnit.MILLISECONDS);
            // The stage that this returns says nothing more than the future does.
            var _ = future.whenComplete((value, failure) -> expiry.cancel(false));
        }
        return future;
    }

    private ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor running = timer;
        if (running == null) {
            running = new ScheduledThreadPoolExecutor(1, threads);
            running.setRemoveOnCancelPolicy(true);
            timer = running;
        }
        return running;
    }

    @Override
    public void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
