package io.millrace.broker.internal.transaction;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.Participants;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.wire.ErrorCode;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.common.internals.Topic;

/** The partitions that this broker leads, each asked on its own shard. */
public final class PartitionParticipants implements Participants {

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final OffsetsParticipant offsets;
    private final Executor coordinator;

    /** @param coordinator the shard of the coordinator, on which it is answered */
    public PartitionParticipants(
            ClusterMetadata metadata, Partitions partitions, OffsetsParticipant offsets, Executor coordinator) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.offsets = offsets;
        this.coordinator = coordinator;
    }

    @Override
    public CompletionStage<Void> secure(Participant participant, ProducerIdentity transaction) {
        Optional<UUID> log = partitions.logNamed(participant.log(), metadata.image());
        if (log.isEmpty()) {
            return failed(participant, "was deleted");
        }
        return switch (partitions.find(log.get(), participant.partition())) {
            case Partitions.Lookup.Found(Partition partition) -> {
                CompletableFuture<Void> done = new CompletableFuture<>();
                partition
                        .shard()
                        .execute(() -> partition
                                .transactions()
                                .secure(participant.part(), transaction, new Secured(participant, done)));
                yield done;
            }
            case Partitions.Lookup.NotHere() -> failed(participant, "is not led by this broker");
            case Partitions.Lookup.Offline(String why) -> failed(participant, "is offline: " + why);
        };
    }

    @Override
    public Told tell(Participant participant, Ending ending) {
        Optional<UUID> log = partitions.logNamed(participant.log(), metadata.image());
        if (log.isEmpty()) {
            // Nobody will read what it had.
            return new Told(CompletableFuture.completedStage(null), CompletableFuture.completedStage(null));
        }
        if (participant.log().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            CompletionStage<Void> ended = offsets.end(participant.partition(), ending)
                    .handleAsync((done, failure) -> failure, coordinator)
                    .thenCompose(failure -> failure == null
                            ? CompletableFuture.completedStage(null)
                            : failed(participant, "could not be told: " + failure.getMessage()));
            return new Told(ended, ended);
        }
        return switch (partitions.find(log.get(), participant.partition())) {
            case Partitions.Lookup.Found(Partition partition) -> {
                CompletableFuture<Void> written = new CompletableFuture<>();
                CompletableFuture<Void> durable = new CompletableFuture<>();
                partition
                        .shard()
                        .execute(() -> partition
                                .transactions()
                                .end(
                                        participant.part(),
                                        ending,
                                        new Completing(participant, written),
                                        new Completing(participant, durable)));
                yield new Told(written, durable);
            }
            case Partitions.Lookup.NotHere() -> unreachable(participant, "is not led by this broker");
            case Partitions.Lookup.Offline(String why) -> unreachable(participant, "is offline: " + why);
        };
    }

    private static Told unreachable(Participant participant, String why) {
        CompletionStage<Void> failed = failed(participant, why);
        return new Told(failed, failed);
    }

    private static CompletionStage<Void> failed(Participant participant, String why) {
        return CompletableFuture.failedStage(
                new TransactionException(TransactionError.NOT_AVAILABLE, participant + " " + why));
    }

    /** Completes on the coordinator's shard. */
    private class Completing implements Reply<Boolean> {

        private final Participant participant;
        private final CompletableFuture<Void> done;

        Completing(Participant participant, CompletableFuture<Void> done) {
            this.participant = participant;
            this.done = done;
        }

        @Override
        public void onDone(Boolean result) {
            coordinator.execute(() -> done.complete(null));
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            fail(code + ": " + message);
        }

        void fail(String why) {
            coordinator.execute(() -> done.completeExceptionally(
                    new TransactionException(TransactionError.NOT_AVAILABLE, participant + ": " + why)));
        }
    }

    /** The same, unless the participant has nothing of the transaction. */
    private final class Secured extends Completing {

        Secured(Participant participant, CompletableFuture<Void> done) {
            super(participant, done);
        }

        @Override
        public void onDone(Boolean isThere) {
            if (isThere) {
                super.onDone(true);
            } else {
                fail("what the transaction wrote is not there any more");
            }
        }
    }
}
