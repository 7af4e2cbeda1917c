package io.millrace.jms.internal.session;

import io.millrace.jms.internal.transport.Calls;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.Loop;
import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Runs something on the loop, waits for it, and throws what JMS throws. For any thread but the loop. */
final class LoopCalls {

    private final Calls calls;

    LoopCalls(Loop loop) {
        this.calls = new Calls(loop);
    }

    /**
     * Runs something and waits for it.
     *
     * @param what names it in exceptions
     * @param timeoutMs how long to wait, 0 for ever
     * @param start runs on the loop
     */
    <T> T call(String what, long timeoutMs, Supplier<CompletableFuture<T>> start) throws JMSException {
        try {
            return callLink(what, timeoutMs, start);
        } catch (LinkException failed) {
            throw JmsFailures.of(failed);
        } catch (InterruptedException interrupted) {
            throw JmsFailures.interrupted(what);
        }
    }

    /**
     * As {@link #call}, for those who have exceptions of their own.
     *
     * @throws LinkException what failed
     * @throws InterruptedException if the thread was interrupted; it may still be done
     */
    <T> T callLink(String what, long timeoutMs, Supplier<CompletableFuture<T>> start) throws InterruptedException {
        return calls.await(what, timeoutMs, result -> {
            CompletableFuture<T> unused = start.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(rootOf(failure));
                }
            });
        });
    }

    /** As {@link #call}, but a server that does not answer, or is gone, is no failure: for closing. */
    void callForClose(String what, long timeoutMs, Supplier<CompletableFuture<Void>> start) throws JMSException {
        try {
            call(what, timeoutMs, start);
        } catch (JMSException failed) {
            if (Thread.currentThread().isInterrupted()) {
                throw failed;
            }
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
