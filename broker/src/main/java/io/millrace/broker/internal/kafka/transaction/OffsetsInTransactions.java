package io.millrace.broker.internal.kafka.transaction;

import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.internals.Topic;

/** Has groups take part in transactions: the partition of {@code __consumer_offsets} in which a group is kept does. From any thread. */
public final class OffsetsInTransactions {

    private final GroupCoordination groups;
    private final TransactionCoordination transactions;

    public OffsetsInTransactions(GroupCoordination groups, TransactionCoordination transactions) {
        this.groups = groups;
        this.transactions = transactions;
    }

    /** Adds a group to a transaction. */
    public CompletionStage<Added> add(String transactionalId, ProducerIdentity producer, String groupId, int protocol) {
        return participant(groupId)
                .thenCompose(participant -> transactions.call(
                        transactionalId,
                        at -> at.producers().add(transactionalId, producer, List.of(participant), protocol)));
    }

    /** Returns what is added already; fails if it is not. */
    private CompletionStage<Added> verify(String transactionalId, ProducerIdentity producer, String groupId) {
        return participant(groupId)
                .thenCompose(participant -> transactions.call(
                        transactionalId,
                        at -> at.producers()
                                .verify(transactionalId, producer, participant)
                                .thenApply(verified -> new Added(CompletableFuture.completedStage(null)))));
    }

    /** Sees to it that a group takes part before offsets are written. */
    public CompletionStage<Added> take(
            String transactionalId, ProducerIdentity producer, String groupId, int protocol) {
        return protocol == Protocol.ADDS_BY_WRITING
                ? add(transactionalId, producer, groupId, protocol)
                : verify(transactionalId, producer, groupId);
    }

    /** Where a group is kept can be said once its topic is there. */
    private CompletionStage<Participant> participant(String groupId) {
        return groups.whenUsable()
                .thenCompose(usable -> groups.coordinator())
                .thenApply(coordinator -> new Participant(
                        Topic.GROUP_METADATA_TOPIC_NAME, coordinator.partitionFor(groupId), Participant.Part.DATA));
    }
}
