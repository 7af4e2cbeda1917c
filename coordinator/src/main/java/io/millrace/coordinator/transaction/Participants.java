package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/** The logs that take part in transactions, wherever they are led. Stages complete on the coordinator's shard. */
public interface Participants {

    /**
     * Sees to it that all that a transaction wrote to a participant is durable.
     *
     * @return done when it is; fails if it cannot be, or if the participant knows nothing of the transaction any more
     */
    CompletionStage<Void> secure(Participant participant, ProducerIdentity transaction);

    /**
     * Tells a participant how a transaction ended, once or more often: who has no such transaction open says that it is done. A participant
     * that was deleted has nothing to do.
     */
    Told tell(Participant participant, Ending ending);

    /**
     * The end of a transaction.
     *
     * @param transaction under which it wrote
     * @param marker under which its markers are written, the same or with the next epoch
     * @param commit whether what it wrote counts
     * @param coordinatorEpoch leader epoch of the coordinator
     * @param awaited whether somebody can go on only when it is durable: the next transaction of a producer begins then, if it has the same epoch
     */
    record Ending(
            ProducerIdentity transaction,
            ProducerIdentity marker,
            boolean commit,
            int coordinatorEpoch,
            boolean awaited) {

        /** An end that may become durable with whatever comes next. */
        public Ending(ProducerIdentity transaction, ProducerIdentity marker, boolean commit, int coordinatorEpoch) {
            this(transaction, marker, commit, coordinatorEpoch, false);
        }

        /** Returns the same end, when somebody cannot go on before it is durable. */
        Ending hurried() {
            return new Ending(transaction, marker, commit, coordinatorEpoch, true);
        }
    }

    /**
     * What came of telling.
     *
     * @param written done when the participant goes by it; fails if it could not be reached, and is to be told again
     * @param durable done when it will also do so after a crash
     */
    record Told(CompletionStage<Void> written, CompletionStage<Void> durable) {}
}
