package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.kafka.group.ShareState;
import io.millrace.broker.internal.partition.CursorRequests;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.session.FutureReply;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.SubscriptionInfo;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.coordinator.metadata.SubscriptionState;
import io.millrace.log.TimestampedOffset;
import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;

/**
 * The cursors of share groups: one of each log that a group consumes. It is created when the group first fetches from the log, unless JMS
 * programs consume {@code log::group} already; then the group goes on where they are. From any thread.
 */
public final class ShareCursors implements ShareState {

    private final Supplier<MetadataImage> image;
    private final Partitions partitions;
    private final Subscriptions subscriptions;
    private final ShareSettings settings;
    private final Shard control;
    private final Executor io;
    private final TimeSource time;

    /** @param io runs what reads from the disk */
    public ShareCursors(
            Supplier<MetadataImage> image,
            Partitions partitions,
            Subscriptions subscriptions,
            ShareSettings settings,
            Shard control,
            Executor io,
            TimeSource time) {
        this.image = image;
        this.partitions = partitions;
        this.subscriptions = subscriptions;
        this.settings = settings;
        this.control = control;
        this.io = io;
        this.time = time;
    }

    /** Returns the cursor that a group has of a log, or empty if it has not consumed it yet. */
    Optional<CursorId> find(UUID logId, String group) {
        return image.get()
                .subscription(SubscriptionKey.ofCursor(logId, group))
                .filter(known -> known.state() == SubscriptionState.ACTIVE)
                .map(known -> new CursorId(known.subscriptionId()));
    }

    /** Returns the cursor that a group has of a log, which is created where it begins by its settings. */
    CompletionStage<CursorId> open(UUID logId, String group) {
        Optional<CursorId> known = find(logId, group);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        ShareSettings.Start start = settings.start(group);
        boolean fromStart = !(start instanceof ShareSettings.Start.Latest);
        return CompletableFuture.supplyAsync(() -> subscriptions.openCursor(logId, group, fromStart), control)
                .thenCompose(opening -> opening)
                .thenApply(CursorId::new)
                .thenCompose(cursor -> moveTo(logId, cursor, ShareSettings.since(start, time.wallClockMs())));
    }

    private CompletionStage<CursorId> moveTo(UUID logId, CursorId cursor, OptionalLong sinceMs) {
        if (sinceMs.isEmpty()) {
            return CompletableFuture.completedFuture(cursor);
        }
        int count = image.get().log(logId).map(log -> log.partitions().size()).orElse(0);
        CompletableFuture<?>[] moved = partitions.of(logId, count).stream()
                .map(partition -> CompletableFuture.supplyAsync(() -> firstSince(partition, sinceMs.getAsLong()), io)
                        .thenCompose(offset -> move(partition, cursor, offset)))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(moved).thenApply(done -> cursor);
    }

    private static long firstSince(Partition partition, long sinceMs) {
        return partition
                .log()
                .offsetForTimestamp(sinceMs)
                .map(TimestampedOffset::offset)
                .orElse(Long.MAX_VALUE);
    }

    private static CompletionStage<Boolean> move(Partition partition, CursorId cursor, long offset) {
        FutureReply<Boolean> reply = new FutureReply<>();
        partition.shard().execute(() -> partition.cursors().move(cursor, offset, reply));
        return reply.future();
    }

    @Override
    public CompletionStage<Void> initialize(SharePartition partition, long startOffset) {
        if (startOffset == UNKNOWN_OFFSET) {
            return CompletableFuture.completedFuture(null);
        }
        return open(partition.logId(), partition.group())
                .thenCompose(cursor -> switch (partitions.find(partition.logId(), partition.partition())) {
                    case Partitions.Lookup.Found(Partition found) -> move(found, cursor, startOffset);
                    case Partitions.Lookup.NotHere _, Partitions.Lookup.Offline _ ->
                        CompletableFuture.<Boolean>failedFuture(
                                new NotLeaderOrFollowerException(partition + " is not led here"));
                })
                .thenApply(moved -> null);
    }

    /**
     * Has a group begin anew in a partition, where its settings say; without effect if it has not consumed it.
     *
     * @param topic by name
     * @return completes when that is durable
     */
    public CompletionStage<Void> beginAnew(String group, String topic, int index) {
        return image.get()
                .logNamed(topic)
                .flatMap(log -> find(log.logId(), group).map(cursor -> beginAnew(log.logId(), index, cursor, group)))
                .orElse(CompletableFuture.completedFuture(null));
    }

    private CompletionStage<Void> beginAnew(UUID logId, int index, CursorId cursor, String group) {
        return switch (partitions.find(logId, index)) {
            case Partitions.Lookup.Found(Partition found) ->
                offset(found, settings.start(group))
                        .thenCompose(offset -> move(found, cursor, offset))
                        .thenApply(moved -> null);
            case Partitions.Lookup.NotHere _, Partitions.Lookup.Offline _ ->
                CompletableFuture.failedFuture(
                        new NotLeaderOrFollowerException("partition " + index + " of the topic is not led here"));
        };
    }

    private CompletionStage<Long> offset(Partition partition, ShareSettings.Start start) {
        return switch (start) {
            case ShareSettings.Start.Earliest() -> CompletableFuture.completedFuture(0L);
            case ShareSettings.Start.Latest() -> CompletableFuture.completedFuture(Long.MAX_VALUE);
            case ShareSettings.Start.ByDuration(Duration age) -> {
                long sinceMs = time.wallClockMs() - age.toMillis();
                yield CompletableFuture.supplyAsync(() -> firstSince(partition, sinceMs), io);
            }
        };
    }

    @Override
    public CompletionStage<Summary> summary(SharePartition partition) {
        Summary unknown = new Summary(UNKNOWN_OFFSET, 0);
        Optional<CursorId> cursor = find(partition.logId(), partition.group());
        if (cursor.isEmpty()
                || !(partitions.find(partition.logId(), partition.partition())
                        instanceof Partitions.Lookup.Found(Partition found))) {
            return CompletableFuture.completedFuture(unknown);
        }
        FutureReply<CursorRequests.CursorPlace> reply = new FutureReply<>();
        found.shard().execute(() -> found.cursors().placeOf(cursor.get(), reply));
        return reply.future()
                .thenApply(place -> new Summary(
                        place.startOffset(), (int) Math.min(Integer.MAX_VALUE, place.acknowledgedBehind())));
    }

    @Override
    public CompletionStage<Void> delete(SharePartition partition) {
        Optional<SubscriptionInfo> known =
                image.get().subscription(SubscriptionKey.ofCursor(partition.logId(), partition.group()));
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.supplyAsync(
                        () -> subscriptions.unsubscribe(known.get().key()), control)
                .thenCompose(deleting -> deleting);
    }
}
