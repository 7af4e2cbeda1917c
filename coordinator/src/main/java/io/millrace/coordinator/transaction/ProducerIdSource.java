package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/** Gives out producer ids. */
@FunctionalInterface
public interface ProducerIdSource {

    /** Returns an id that nobody ever had; completes on the coordinator's shard. */
    CompletionStage<Long> allocate();
}
