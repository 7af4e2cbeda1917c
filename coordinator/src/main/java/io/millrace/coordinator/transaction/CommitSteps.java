package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/** What a commit is made of. To be called on the coordinator's shard, each at most once, in this order. */
public interface CommitSteps {

    /** First phase: everything that the transaction wrote becomes durable. Fails if that cannot be: then it is to be rolled back. */
    CompletionStage<Void> prepare();

    /** Writes the decision. When this is done, the transaction is committed, whatever happens then. */
    CompletionStage<Void> decide();

    /** Second phase: tells all participants. Done when those that can be reached have been told; the others are told later. */
    CompletionStage<Void> tell();
}
