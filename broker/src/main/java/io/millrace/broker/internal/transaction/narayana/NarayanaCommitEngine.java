package io.millrace.broker.internal.transaction.narayana;

import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.CommitSteps;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Has Narayana drive the two phases. Narayana waits where we do not: each commit has a virtual thread, which goes to the shard for each step.
 *
 * <p>Narayana is loaded when the first transaction is committed, not before, and once for all brokers of a JVM.
 */
public final class NarayanaCommitEngine implements CommitEngine {

    private final Executor shard;
    private final Executor threads = Thread::startVirtualThread;

    /** @param shard of the coordinator: where all steps are called, and results complete */
    public NarayanaCommitEngine(Executor shard) {
        this.shard = shard;
    }

    @Override
    public CompletionStage<Void> commit(CommitSteps steps) {
        return new DrivenCommit(shard, steps, () -> Loaded.TWO_PHASES, false).start(threads);
    }

    @Override
    public CompletionStage<Void> redo(CommitSteps steps) {
        return new DrivenCommit(shard, steps, () -> Loaded.TWO_PHASES, true).start(threads);
    }

    /** Initialized by the first commit. */
    private static final class Loaded {

        private static final TwoPhases TWO_PHASES = IsolatedClasses.load();

        private Loaded() {}
    }
}
