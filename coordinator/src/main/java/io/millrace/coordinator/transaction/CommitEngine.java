package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/**
 * Takes a transaction through the two phases of its commit. Implementations differ in who drives: {@link PlainCommitEngine} is the
 * shortest that is right, against which others are checked.
 */
public interface CommitEngine {

    /**
     * Commits. Called on the coordinator's shard, where the result also completes.
     *
     * @return done when all that can be reached have been told; fails if a step failed, with what that failed with
     */
    CompletionStage<Void> commit(CommitSteps steps);

    /** Goes on with a commit whose decision was found in the log: tells the participants. Likewise. */
    CompletionStage<Void> redo(CommitSteps steps);

    /** What is under way ends undecided: its shard has stopped, and nobody will come to it any more. From any thread. */
    void close();
}
