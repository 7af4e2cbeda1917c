package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.transaction.OffsetsParticipant;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.requests.TransactionResult;

/**
 * Has Kafka's coordinator of groups end transactions in the partitions of {@code __consumer_offsets}: it keeps in memory what is not committed yet,
 * and writes the markers itself.
 */
public final class GroupOffsetsParticipant implements OffsetsParticipant {

    private static final short BUMPS_EPOCH = 2;
    private static final short KEEPS_EPOCH = 1;

    private final GroupCoordination groups;
    private final OffsetsTopic topic;

    public GroupOffsetsParticipant(GroupCoordination groups, OffsetsTopic topic) {
        this.groups = groups;
        this.topic = topic;
    }

    @Override
    public CompletionStage<Void> end(int index, Ending ending) {
        TopicPartition id = new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, index);
        CompletableFuture<Void> durable = new CompletableFuture<>();
        try {
            Partition partition = topic.open(id);
            partition.shard().execute(() -> {
                if (isOpen(partition, ending)) {
                    complete(id, ending).whenComplete((done, failure) -> {
                        if (failure == null) {
                            durable.complete(null);
                        } else {
                            durable.completeExceptionally(failure);
                        }
                    });
                } else {
                    // Told before, or nothing was written: what there is to wait for, the partition knows.
                    partition
                            .transactions()
                            .end(Part.DATA, ending, settling(new CompletableFuture<>()), settling(durable));
                }
            });
        } catch (ApiException notHere) {
            durable.completeExceptionally(notHere);
        }
        return durable;
    }

    /** Completes when the marker is below the high watermark. */
    private CompletionStage<Void> complete(TopicPartition id, Ending ending) {
        boolean bumped = ending.marker().epoch() != ending.transaction().epoch();
        return groups.coordinator()
                .thenCompose(coordinator -> coordinator.completeTransaction(
                        id,
                        ending.marker().id(),
                        ending.marker().epoch(),
                        ending.coordinatorEpoch(),
                        ending.commit() ? TransactionResult.COMMIT : TransactionResult.ABORT,
                        bumped ? BUMPS_EPOCH : KEEPS_EPOCH));
    }

    /** On the shard. */
    private static boolean isOpen(Partition partition, Ending ending) {
        return partition.transactions().open(Part.DATA).stream()
                .anyMatch(open -> open.id() == ending.transaction().id()
                        && open.epoch() <= ending.transaction().epoch());
    }

    private static Reply<Boolean> settling(CompletableFuture<Void> outcome) {
        return new Reply<>() {
            @Override
            public void onDone(Boolean answer) {
                outcome.complete(null);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                outcome.completeExceptionally(new NotLeaderOrFollowerException(message));
            }
        };
    }
}
