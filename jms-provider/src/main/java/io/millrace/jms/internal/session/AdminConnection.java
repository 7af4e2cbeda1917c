package io.millrace.jms.internal.session;

import io.millrace.jms.internal.client.ClientConnection;
import io.millrace.jms.internal.options.Option;
import io.millrace.jms.internal.transport.Calls;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestTimeoutException;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.RequestFrame;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;

/** A connection without sessions, that asks one question at a time. For any thread. */
public final class AdminConnection implements AutoCloseable {

    private final ClientConnection client;
    private final ConnectionParts parts;
    private final Calls calls;
    private final long timeoutMs;

    AdminConnection(ClientConnection client, ConnectionParts parts) {
        this.client = client;
        this.parts = parts;
        this.calls = new Calls(client.loop());
        this.timeoutMs = parts.options().number(Option.REQUEST_TIMEOUT);
    }

    /**
     * Connects.
     *
     * @throws LinkException if that fails
     * @throws InterruptedException if the thread was interrupted
     */
    public void open() throws InterruptedException {
        await("Connecting to the server", 0, client::open);
    }

    /**
     * Asks the server.
     *
     * @param what names it in exceptions
     * @param frame makes the request for a correlation id
     * @throws LinkException if it is refused, or not answered in time
     * @throws InterruptedException if the thread was interrupted
     */
    public AnswerFrame ask(String what, IntFunction<? extends RequestFrame> frame) throws InterruptedException {
        return await(what, timeoutMs, () -> client.request(frame));
    }

    private interface Start<T> {
        CompletableFuture<T> begin();
    }

    private <T> T await(String what, long limitMs, Start<T> start)
            throws InterruptedException, RequestTimeoutException {
        return calls.await(what, limitMs, result -> {
            CompletableFuture<T> unused = start.begin().whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    Throwable cause = failure.getCause();
                    boolean wrapped = failure instanceof CompletionException && cause != null;
                    result.completeExceptionally(wrapped ? cause : failure);
                }
            });
        });
    }

    @Override
    public void close() {
        client.loop().execute(() -> {
            CompletableFuture<Void> unused = client.close()
                    .whenComplete((gone, failure) -> parts.release().run());
        });
        parts.callbacks().shutdown();
    }
}
