package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.SessionLink;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscriptionResult;
import io.millrace.coordinator.metadata.SubscriptionInfo;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.coordinator.metadata.SubscriptionState;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Subscribe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Durable subscriptions: a record in the metadata that says that they exist, and a cursor in every partition that says how far they are.
 * On the control shard.
 *
 * <p>Subscribing creates the record, then the cursors, then activates it; each step may be repeated, so whoever finds a subscription half
 * made completes it.
 */
public final class Subscriptions {

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final SubscriptionMembers members;
    private final ConnectionClaims claims;
    private final Supplier<UUID> operationIds;
    private final Executor control;

    /**
     * Creates the service.
     *
     * @param operationIds makes ids of commands
     */
    public Subscriptions(
            ClusterMetadata metadata,
            Partitions partitions,
            SubscriptionMembers members,
            ConnectionClaims claims,
            Supplier<UUID> operationIds,
            Executor control) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.members = members;
        this.claims = claims;
        this.operationIds = operationIds;
        this.control = control;
    }

    /**
     * Creates a durable subscription or joins it.
     *
     * @return its identity, once every partition has its cursor; fails with {@link RequestFailedException}
     */
    public CompletionStage<UUID> subscribe(Subscribe request, ClientSession session) {
        SubscriptionKey key = keyOf(request);
        Optional<SubscriptionInfo> existing = metadata.image().subscription(key);
        boolean differs = existing.isPresent() && differs(existing.get(), request);
        if (differs && members.isUsed(existing.get().subscriptionId())) {
            throw new RequestFailedException(
                    request.shared() ? ErrorCode.SUBSCRIPTION_MISMATCH : ErrorCode.SUBSCRIPTION_IN_USE,
                    "subscription " + request.name() + " is consumed, and has another topic, selector or noLocal");
        }
        ClientConnection connection = session.link()
                .map(SessionLink::connection)
                .orElseThrow(() -> new RequestFailedException(ErrorCode.UNKNOWN_SESSION, "the session is detached"));
        return metadata.controller()
                .submit(new MetadataCommand.CreateSubscription(
                        operationIds.get(),
                        key,
                        request.logId(),
                        request.shared(),
                        request.selector(),
                        request.noLocal(),
                        differs))
                .thenApply(result -> created(result, request.name()))
                .thenComposeAsync(subscription -> claim(subscription, connection, session, request), control)
                .thenComposeAsync(subscription -> complete(subscription, request.cursor()), control)
                .thenApplyAsync(
                        subscription -> {
                            members.join(subscription.subscriptionId(), session, request.consumer(), !request.shared());
                            return subscription.subscriptionId();
                        },
                        control);
    }

    private static SubscriptionKey keyOf(Subscribe request) {
        return request.cursor()
                ? SubscriptionKey.ofCursor(request.logId(), request.name())
                : new SubscriptionKey(request.clientId(), request.name());
    }

    /**
     * Creates a further cursor of a log, or finds it.
     *
     * @param fromStart where a new one begins: at the start of the log, else at its end
     * @return its identity, once every partition has it; fails with {@link RequestFailedException}
     */
    public CompletionStage<UUID> openCursor(UUID logId, String name, boolean fromStart) {
        SubscriptionKey key = SubscriptionKey.ofCursor(logId, name);
        Optional<SubscriptionInfo> existing = metadata.image().subscription(key);
        if (existing.isPresent() && existing.get().state() == SubscriptionState.ACTIVE) {
            return CompletableFuture.completedFuture(existing.get().subscriptionId());
        }
        return metadata.controller()
                .submit(new MetadataCommand.CreateSubscription(
                        operationIds.get(), key, logId, true, Optional.empty(), false, false))
                .thenApply(result -> created(result, name))
                .thenComposeAsync(subscription -> complete(subscription, fromStart), control)
                .thenApply(SubscriptionInfo::subscriptionId);
    }

    private static boolean differs(SubscriptionInfo existing, Subscribe request) {
        return !existing.logId().equals(request.logId())
                || !existing.selector().equals(request.selector())
                || existing.noLocal() != request.noLocal();
    }

    private static SubscriptionInfo created(CreateSubscriptionResult result, String name) {
        return switch (result) {
            case CreateSubscriptionResult.Created(SubscriptionInfo subscription, Optional<SubscriptionInfo> replaced) ->
                subscription;
            case CreateSubscriptionResult.AlreadyExists(SubscriptionInfo subscription) -> subscription;
            case CreateSubscriptionResult.Mismatch(SubscriptionInfo existing) ->
                throw new RequestFailedException(
                        ErrorCode.SUBSCRIPTION_MISMATCH,
                        "subscription " + name + " exists as "
                                + (existing.shared() ? "a shared" : "an unshared")
                                + " one with another topic, selector or noLocal");
            case CreateSubscriptionResult.LogNotFound() ->
                throw new RequestFailedException(ErrorCode.DESTINATION_NOT_FOUND, "the topic was deleted");
            case CreateSubscriptionResult.NotATopic(LogInfo log) ->
                throw new RequestFailedException(
                        ErrorCode.WRONG_DESTINATION_KIND, log.name() + " is a queue; queues have no subscriptions");
            case CreateSubscriptionResult.LimitReached(int maxSubscriptions) ->
                throw new RequestFailedException(
                        ErrorCode.LIMIT_EXCEEDED, "there are " + maxSubscriptions + " durable subscriptions, not more");
            case CreateSubscriptionResult.DeletedSince(UUID subscriptionId) ->
                throw new RequestFailedException(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted again");
        };
    }

    private CompletionStage<SubscriptionInfo> claim(
            SubscriptionInfo subscription, ClientConnection connection, ClientSession session, Subscribe request) {
        if (subscription.shared()) {
            return CompletableFuture.completedFuture(subscription);
        }
        return claims.claimSubscription(
                        connection,
                        subscription.subscriptionId(),
                        SubscriptionMembers.identityOf(session, request.consumer()))
                .thenApply(granted -> subscription);
    }

    /** Gives every partition its cursor, and then says so in the metadata. */
    private CompletionStage<SubscriptionInfo> complete(SubscriptionInfo subscription, boolean fromStart) {
        if (subscription.state() == SubscriptionState.ACTIVE) {
            return CompletableFuture.completedFuture(subscription);
        }
        CursorId cursor = new CursorId(subscription.subscriptionId());
        return onEachPartition(
                        subscription.logId(),
                        (partition, reply) -> partition.cursors().create(cursor, fromStart, reply))
                .thenCompose(offsets -> metadata.controller()
                        .submit(new MetadataCommand.ActivateSubscription(
                                operationIds.get(), subscription.subscriptionId())))
                .thenApply(result -> switch (result) {
                    case ActivateSubscriptionResult.Active(SubscriptionInfo active) -> active;
                    case ActivateSubscriptionResult.NotFound() ->
                        throw new RequestFailedException(
                                ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted meanwhile");
                });
    }

    /** Asks all partitions of a topic, each on its shard; fails with the first failure. */
    CompletionStage<List<Long>> onEachPartition(UUID logId, BiConsumer<Partition, Reply<Long>> request) {
        LogInfo log = partitions
                .log(logId, metadata.image())
                .orElseThrow(() ->
                        new RequestFailedException(ErrorCode.DESTINATION_NOT_FOUND, "the destination was deleted"));
        int count = log.partitions().size();
        List<Partition> open = partitions.of(logId, count);
        if (open.size() < count) {
            throw new RequestFailedException(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    (count - open.size()) + " of " + count + " partitions of " + log.name() + " are offline");
        }
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        for (Partition partition : open) {
            FutureReply<Long> reply = new FutureReply<>();
            answers.add(reply.future());
            partition.shard().execute(() -> request.accept(partition, reply));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    /**
     * Deletes a durable subscription that nobody consumes.
     *
     * @return completes when it is gone; fails with {@link RequestFailedException}
     */
    public CompletionStage<Void> unsubscribe(SubscriptionKey key) {
        SubscriptionInfo subscription = metadata.image()
                .subscription(key)
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND, "there is no subscription " + key.name()));
        if (members.isUsed(subscription.subscriptionId())) {
            throw new RequestFailedException(
                    ErrorCode.SUBSCRIPTION_IN_USE, "subscription " + key.name() + " has a consumer; close it first");
        }
        return metadata.controller()
                .submit(new MetadataCommand.DeleteSubscription(operationIds.get(), subscription.subscriptionId()))
                .thenApply(result -> null);
    }

    /** Returns the partitions of a topic that are open here; none if it is gone. */
    List<Partition> openPartitions(UUID logId) {
        return partitions
                .log(logId, metadata.image())
                .map(log -> partitions.of(logId, log.partitions().size()))
                .orElse(List.of());
    }

    /** Returns the topic with this identity; fails if it is a queue or gone. */
    LogInfo topic(UUID logId) {
        LogInfo log = partitions
                .log(logId, metadata.image())
                .orElseThrow(() ->
                        new RequestFailedException(ErrorCode.DESTINATION_NOT_FOUND, "the destination was deleted"));
        if (log.kind() != LogKind.TOPIC) {
            throw new RequestFailedException(
                    ErrorCode.WRONG_DESTINATION_KIND, log.name() + " is a queue; queues have no subscriptions");
        }
        return log;
    }
}
