package io.millrace.jms.internal.transport;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** How other threads wait for the loop, by the loop's clock. */
public final class Calls {

    private static final long NANOS_PER_MS = 1_000_000;

    private final Loop loop;

    /** Waits for this loop. */
    public Calls(Loop loop) {
        this.loop = loop;
    }

    /**
     * Starts something on the loop and waits until it is done.
     *
     * @param what names it in the exception of a timeout
     * @param timeoutMs how long to wait at most, 0 for ever
     * @param start runs on the loop, and completes the future sooner or later
     * @return what the future was completed with
     * @throws LinkException what the future was failed with, or a {@link RequestTimeoutException}
     * @throws InterruptedException if the calling thread was interrupted; the thing may still be done
     */
    public <T> T await(String what, long timeoutMs, Consumer<CompletableFuture<T>> start) throws InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        long deadlineNs = loop.nanoTime() + timeoutMs * NANOS_PER_MS;
        try {
            loop.execute(() -> start.accept(result));
        } catch (RejectedExecutionException ended) {
            throw new LinkClosedException("The connection is closed", ended);
        }
        if (timeoutMs > 0 && !loop.awaitDone(result, deadlineNs)) {
            // Unless the answer came just now: then it counts.
            result.completeExceptionally(new RequestTimeoutException(what, timeoutMs));
        }
        return get(result);
    }

    /** Waits for a future that something on the loop will complete. */
    public static <T> T get(CompletableFuture<T> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof LinkException known) {
                throw known;
            }
            throw new LinkClosedException("The client failed: " + failed.getCause(), failed);
        } catch (CancellationException cancelled) {
            throw new LinkClosedException("The client gave up", cancelled);
        }
    }
}
