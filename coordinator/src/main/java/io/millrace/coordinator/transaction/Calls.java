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

    static <T> CompletionStage<T> guard(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (TransactionException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }
}
