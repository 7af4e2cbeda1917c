package io.millrace.broker.internal.simulation;

import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.CommitSteps;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Comes to each step but the first in a turn of its own, as an engine that has threads: anything may happen in between. */
record PostingCommitEngine(Executor shard) implements CommitEngine {

    @Override
    public CompletionStage<Void> commit(CommitSteps steps) {
        return steps.prepare()
                .thenComposeAsync(prepared -> steps.decide(), shard)
                .thenComposeAsync(decided -> steps.tell(), shard)
                .thenApplyAsync(Function.identity(), shard);
    }

    @Override
    public CompletionStage<Void> redo(CommitSteps steps) {
        return steps.tell().thenApplyAsync(Function.identity(), shard);
    }

    @Override
    public void close() {
        // What is under way is dropped with the shard's tasks.
    }
}
