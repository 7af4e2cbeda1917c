package io.millrace.broker.internal.destination;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Purged;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.SubscriptionInfo;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Removes messages on behalf of an operator. May be used from any thread. */
public final class Purges {

    private final Destinations destinations;
    private final Partitions partitions;

    /** Creates the service. */
    public Purges(Destinations destinations, Partitions partitions) {
        this.destinations = destinations;
        this.partitions = partitions;
    }

    /**
     * Removes the messages of a queue or of a durable subscription that are there now and not with a consumer, or counts them.
     *
     * @param subscription whose messages; for a topic
     * @return completes when all of it is durable; fails with {@link RequestFailedException}, after which some may be gone
     */
    public CompletionStage<Purged> purge(
            DestinationKind kind, String name, Optional<SubscriptionKey> subscription, boolean dryRun) {
        LogInfo log = destinations.existing(kind, name);
        CursorId cursor = switch (kind) {
            case QUEUE -> ofQueue(name, subscription);
            case TOPIC -> ofSubscription(log, name, subscription);
        };
        int count = log.partitions().size();
        List<Partition> open = partitions.of(log.logId(), count);
        if (open.size() < count) {
            throw new RequestFailedException(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    (count - open.size()) + " of " + count + " partitions of " + name
                            + " are offline: nothing was removed");
        }
        List<CompletableFuture<Purged>> answers = new ArrayList<>();
        for (Partition partition : open) {
            CompletableFuture<Purged> answer = new CompletableFuture<>();
            answers.add(answer);
            partition.shard().execute(() -> partition.removals().purge(cursor, dryRun, replyTo(answer)));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).reduce(Purged.NOTHING, Purged::plus));
    }

    private static CursorId ofQueue(String name, Optional<SubscriptionKey> subscription) {
        if (subscription.isPresent()) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, name + " is a queue; queues have no subscriptions");
        }
        return CursorId.QUEUE;
    }

    private CursorId ofSubscription(LogInfo log, String name, Optional<SubscriptionKey> subscription) {
        SubscriptionKey key = subscription.orElseThrow(() -> new RequestFailedException(
                ErrorCode.INVALID_REQUEST,
                "topic " + name
                        + " keeps messages for each of its subscriptions: say of which they are to be removed"));
        SubscriptionInfo known = destinations
                .image()
                .subscription(key)
                .filter(found -> found.logId().equals(log.logId()))
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND,
                        "topic " + name + " has no durable subscription " + key.name()
                                + key.clientId()
                                        .map(id -> " of client id " + id)
                                        .orElse(" without a client id")));
        return new CursorId(known.subscriptionId());
    }

    private static Reply<Purged> replyTo(CompletableFuture<Purged> answer) {
        return new Reply<>() {
            @Override
            public void onDone(Purged purged) {
                answer.complete(purged);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                answer.completeExceptionally(new RequestFailedException(code, message));
            }
        };
    }
}
