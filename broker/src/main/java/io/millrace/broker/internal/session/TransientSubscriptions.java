package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Subscribe;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Shared subscriptions that are not durable: they exist in memory from their first consumer to their last, and begin at the end of the
 * topic; in partitions that are added meanwhile, at their start. On the control shard.
 */
public final class TransientSubscriptions implements SubscriptionMembers.EmptyListener {

    /**
     * One of them.
     *
     * @param topic as it was when the subscription began
     * @param selector which messages it wants; empty for all
     */
    private record Subscription(UUID id, SubscriptionKey key, LogInfo topic, Optional<String> selector) {
        boolean isOlderThan(Partition partition) {
            return partition.id().partition() >= topic.partitions().size();
        }
    }

    private final Subscriptions subscriptions;
    private final SubscriptionMembers members;
    private final Supplier<UUID> ids;
    private final Executor control;
    private final Map<SubscriptionKey, Subscription> byKey = new HashMap<>();
    private final Map<UUID, Subscription> byId = new HashMap<>();

    /**
     * Creates the registry.
     *
     * @param ids makes identities of subscriptions
     */
    public TransientSubscriptions(
            Subscriptions subscriptions, SubscriptionMembers members, Supplier<UUID> ids, Executor control) {
        this.subscriptions = subscriptions;
        this.members = members;
        this.ids = ids;
        this.control = control;
    }

    /**
     * Creates a subscription or joins it.
     *
     * @return its identity, once every partition has its cursor; fails with {@link RequestFailedException}
     */
    public CompletionStage<UUID> subscribe(Subscribe request, ClientSession session) {
        SubscriptionKey key = new SubscriptionKey(request.clientId(), request.name());
        LogInfo topic = subscriptions.topic(request.logId());
        Subscription subscription = byKey.computeIfAbsent(key, unknown -> create(key, topic, request.selector()));
        if (!subscription.topic.logId().equals(topic.logId())) {
            throw new RequestFailedException(
                    ErrorCode.SUBSCRIPTION_MISMATCH,
                    "subscription " + key.name() + " is one of topic " + subscription.topic.name() + " at present");
        }
        if (!subscription.selector.equals(request.selector())) {
            throw new RequestFailedException(
                    ErrorCode.SUBSCRIPTION_MISMATCH,
                    "subscription " + key.name() + " is consumed, and has another selector");
        }
        members.join(subscription.id, session, request.consumer(), false);
        CursorId cursor = new CursorId(subscription.id);
        return subscriptions
                .onEachPartition(
                        topic.logId(),
                        (partition, reply) ->
                                partition.cursors().createInMemory(cursor, subscription.isOlderThan(partition), reply))
                .whenCompleteAsync(
                        (offsets, failure) -> {
                            if (failure != null) {
                                members.leave(subscription.id, session, request.consumer());
                            }
                        },
                        control)
                .thenApply(offsets -> subscription.id);
    }

    private Subscription create(SubscriptionKey key, LogInfo topic, Optional<String> selector) {
        Subscription created = new Subscription(ids.get(), key, topic, selector);
        byId.put(created.id, created);
        return created;
    }

    @Override
    public void onEmpty(UUID id) {
        Subscription ended = byId.remove(id);
        if (ended == null) {
            return;
        }
        byKey.remove(ended.key);
        CursorId cursor = new CursorId(id);
        for (Partition partition : subscriptions.openPartitions(ended.topic.logId())) {
            partition
                    .shard()
                    .execute(() -> partition
                            .cursors()
                            .delete(cursor, ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription has ended"));
        }
    }
}
