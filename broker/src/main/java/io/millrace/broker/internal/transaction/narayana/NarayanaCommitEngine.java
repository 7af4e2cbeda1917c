package io.millrace.broker.internal.transaction.narayana;

import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.CommitSteps;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Has Narayana drive the two phases. Narayana waits where we do not: each commit has a virtual thread, which goes to the shard for each step.
 *
 * <p>Narayana is loaded when the first transaction is committed, not before, and once for all brokers of a JVM.
 */
public final class NarayanaCommitEngine implements CommitEngine {

    private final Executor shard;
    private final Executor threads = Thread::startVirtualThread;
    private final Set<DrivenCommit> underWay = ConcurrentHashMap.newKeySet();

    /** @param shard of the coordinator: where all steps are called, and results complete */
    public NarayanaCommitEngine(Executor shard) {
        this.shard = shard;
    }

    @Override
    public CompletionStage<Void> commit(CommitSteps steps) {
        return start(new DrivenCommit(shard, steps, () -> Loaded.TWO_PHASES, false));
    }

    @Override
    public CompletionStage<Void> redo(CommitSteps steps) {
        return start(new DrivenCommit(shard, steps, () -> Loaded.TWO_PHASES, true));
    }

    private CompletionStage<Void> start(DrivenCommit commit) {
        underWay.add(commit);
        return commit.start(threads).whenComplete((done, failure) -> underWay.remove(commit));
    }

    /** Their threads would wait for ever, and keep the broker in memory. */
    @Override
    public void close() {
        underWay.forEach(DrivenCommit::abandon);
        underWay.clear();
    }

    /** Initialized by the first commit. */
    private static final class Loaded {

        private static final TwoPhases TWO_PHASES = IsolatedClasses.load();

        private Loaded() {}
    }
}
