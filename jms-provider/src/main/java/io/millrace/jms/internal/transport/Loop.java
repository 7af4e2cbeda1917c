package io.millrace.jms.internal.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The one thread that the state of a connection belongs to, and its clock. Tasks run one after the other, in the order in which they were
 * handed in. Time is injected here and nowhere else: with a loop whose timers a test moves, everything above it runs in that time.
 */
public interface Loop extends Executor {

    /** Returns whether the calling thread is this one. */
    boolean inLoop();

    /**
     * Runs a task on this thread after a while. May be called from any thread.
     *
     * @param delayNs 0 or more
     * @param task what to run
     * @return cancels it; too late is harmless
     */
    Timer schedule(long delayNs, Runnable task);

    /** Returns the monotonic clock of {@link io.millrace.wire.time.TimeSource#nanoTime()}. */
    long nanoTime();

    /**
     * Waits in another thread than this one until something is done, at most until a time. The caller's wait is the timer: one of the
     * loop's would have to be set and taken back for every call.
     *
     * @param result which the loop will complete
     * @param deadlineNs of this loop's clock
     * @return whether it is done, however it ended
     * @throws InterruptedException if the calling thread was interrupted
     */
    boolean awaitDone(CompletableFuture<?> result, long deadlineNs) throws InterruptedException;

    /** A task that waits for its time. */
    interface Timer {
        /** Takes the task back. */
        void cancel();
    }
}
