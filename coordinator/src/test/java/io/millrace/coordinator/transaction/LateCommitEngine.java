package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Comes to each step but the first later, as an engine that has threads of its own: anything may happen in between. */
final class LateCommitEngine implements CommitEngine {

    private final SimulatedWorld world;

    LateCommitEngine(SimulatedWorld world) {
        this.world = world;
    }

    @Override
    public CompletionStage<Void> commit(CommitSteps steps) {
        return late(late(late(steps.prepare(), steps::decide), steps::tell), LateCommitEngine::nothing);
    }

    @Override
    public CompletionStage<Void> redo(CommitSteps steps) {
        return late(steps.tell(), LateCommitEngine::nothing);
    }

    private static CompletionStage<Void> nothing() {
        return CompletableFuture.completedStage(null);
    }

    private CompletionStage<Void> late(CompletionStage<Void> before, Supplier<CompletionStage<Void>> next) {
        CompletableFuture<Void> then = new CompletableFuture<>();
        before.whenComplete((done, failure) -> world.later(() -> {
            if (failure == null) {
                next.get().whenComplete((end, why) -> {
                    if (why == null) {
                        then.complete(null);
                    } else {
                        then.completeExceptionally(why);
                    }
                });
            } else {
                then.completeExceptionally(failure);
            }
        }));
        return then;
    }

    @Override
    public void close() {}
}
