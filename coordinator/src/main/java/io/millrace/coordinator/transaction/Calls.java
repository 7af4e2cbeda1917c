package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes calls about a transaction wait for the one before, and failures of any kind the outcome of their stages. */
final class Calls {

    private Calls() {}

    /** Runs a call once nothing else is under way; what it throws, its stage fails with. */
    static <T> CompletionStage<T> whenFree(Transaction transaction, Function<Transaction, CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            transaction.whenFree(() -> guard(() -> call.apply(transaction)).whenComplete((done, failure) -> {
                if (failure == null) {
                    answer.complete(done);
                } else {
                    answer.completeExceptionally(Failures.cause(failure));
                }
            }));
        } catch (TransactionException tooMany) {
            answer.completeExceptionally(tooMany);
        }
        return answer;
    }

    /**
     * Goes on with a call when what it needs is there. What was found out about the transaction stays true: other calls wait.
     *
     * @param transaction about which nothing is under way
     */
    static <N, T> CompletionStage<T> whenThere(
            Transaction transaction, CompletionStage<N> needed, Function<N, CompletionStage<T>> call) {
        transaction.lock();
        return needed.handle((there, failure) -> transaction.handOver(
                        () -> failure == null ? call.apply(there) : CompletableFuture.<T>failedStage(failure)))
                .thenCompose(Function.identity());
    }

    static <T> CompletionStage<T> guard(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (TransactionException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }
}
