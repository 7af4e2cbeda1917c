package io.millrace.broker.internal.session;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;

/** A partition's reply as a future; fails with {@link RequestFailedException}. */
public final class FutureReply<T> implements Reply<T> {

    private final CompletableFuture<T> future = new CompletableFuture<>();

    /** Returns the future. */
    public CompletableFuture<T> future() {
        return future;
    }

    @Override
    public void onDone(T answer) {
        future.complete(answer);
    }

    @Override
    public void onFailed(ErrorCode code, String message) {
        future.completeExceptionally(new RequestFailedException(code, message));
    }
}
