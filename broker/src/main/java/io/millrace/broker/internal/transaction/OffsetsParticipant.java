package io.millrace.broker.internal.transaction;

import io.millrace.coordinator.transaction.Participants.Ending;
import java.util.concurrent.CompletionStage;

/** The partitions of {@code __consumer_offsets}, in which the offsets of groups take part in transactions: the group coordinator ends them there. */
public interface OffsetsParticipant {

    /**
     * Ends a transaction in a partition.
     *
     * @return done, on any thread, when that is durable; fails if the group coordinator cannot do it now
     */
    CompletionStage<Void> end(int partition, Ending ending);
}
