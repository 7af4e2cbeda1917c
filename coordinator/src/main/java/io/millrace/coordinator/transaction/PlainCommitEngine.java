package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/** One step after the other, on the shard. */
public final class PlainCommitEngine implements CommitEngine {

    @Override
    public CompletionStage<Void> commit(CommitSteps steps) {
        return steps.prepare().thenCompose(prepared -> steps.decide()).thenCompose(decided -> steps.tell());
    }

    @Override
    public CompletionStage<Void> redo(CommitSteps steps) {
        return steps.tell();
    }

    @Override
    public void close() {
        // Nothing waits: what is under way is with the shard.
    }
}
