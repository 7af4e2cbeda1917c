package io.millrace.broker.internal.destination;

import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.coordinator.metadata.SubscriptionState;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the partitions of this broker what the metadata says: opens those that it leads, removes those of deleted logs, and drops the
 * cursors of deleted subscriptions. Does nothing before {@link #activate}, since a broker leads nothing before it is registered. Runs on
 * the control shard.
 */
public final class PartitionLifecycle implements MetadataListener {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionLifecycle.class);

    private final int brokerId;
    private final Partitions partitions;
    private final DestinationEvents events = new DestinationEvents();
    private final PartitionOpener opener;
    private final BrokerMetrics metrics;
    private final List<Shard> shards;
    private final Executor control;
    /** Partitions whose files are being removed: one of the same name waits for that before it is created. */
    private final Map<PartitionId, CompletableFuture<Void>> removals = new HashMap<>();

    private long brokerEpoch = -1;

    PartitionLifecycle(
            int brokerId,
            Partitions partitions,
            PartitionOpener opener,
            BrokerMetrics metrics,
            List<Shard> shards,
            Executor control) {
        this.brokerId = brokerId;
        this.partitions = partitions;
        this.opener = opener;
        this.metrics = metrics;
        this.shards = List.copyOf(shards);
        this.control = control;
    }

    /**
     * Creates the lifecycle of a broker's partitions.
     *
     * @param partitions where they are found then
     * @param metrics counts what happens there
     * @param shards own them, each an equal share
     * @param control runs this object
     * @param io opens and removes them
     * @param memory in which the cursors of all of them note what they have lent
     */
    public static PartitionLifecycle of(
            int brokerId,
            Partitions partitions,
            LogStorage storage,
            LiveConfig config,
            BrokerMetrics metrics,
            List<Shard> shards,
            Executor control,
            Executor io,
            LendingMemory memory) {
        return new PartitionLifecycle(
                brokerId, partitions, new PartitionOpener(storage, config, io, memory), metrics, shards, control);
    }

    /**
     * The broker is registered: opens all partitions that it leads.
     *
     * @param image metadata that contains the registration
     * @return completes when all of them are open or found damaged
     */
    public CompletableFuture<Void> activate(MetadataImage image, long grantedBrokerEpoch) {
        brokerEpoch = grantedBrokerEpoch;
        for (LogInfo log : image.logs()) {
            openLed(log);
        }
        return partitions.whenAllOpened().thenRun(() -> dropOrphans(image));
    }

    @Override
    public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
        if (brokerEpoch < 0) {
            return;
        }
        events.onCommitted(before, records);
        boolean brokerChanged = false;
        for (MetadataRecord record : records) {
            switch (record) {
                case MetadataRecord.LogCreated created ->
                    after.log(created.logId()).ifPresent(this::openLed);
                case MetadataRecord.PartitionChanged changed ->
                    after.log(changed.logId()).ifPresent(this::openLed);
                case MetadataRecord.LogDeleted deleted ->
                    before.log(deleted.logId()).ifPresent(this::remove);
                case MetadataRecord.SubscriptionChanged changed -> {
                    if (after.subscription(changed.subscriptionId()).isEmpty()) {
                        before.subscription(changed.subscriptionId())
                                .flatMap(subscription -> before.log(subscription.logId()))
                                .ifPresent(log -> dropCursor(log, changed.subscriptionId()));
                    }
                }
                case MetadataRecord.BrokerRegistered ignored -> {}
                case MetadataRecord.LeadershipsRenewed ignored -> {}
                case MetadataRecord.ConfigChanged changed -> {
                    if (changed.scope() instanceof ConfigScope.Log(UUID logId)) {
                        after.log(logId).ifPresent(this::reconfigure);
                    } else if (changed.scope() instanceof ConfigScope.Broker
                            || changed.scope() instanceof ConfigScope.Cluster) {
                        brokerChanged = true;
                    }
                }
                case MetadataRecord.SubscriptionCreated ignored -> {}
                case MetadataRecord.PartitionsAdded added -> beginCursors(before, after, added.logId());
                case MetadataRecord.ScramCredentialSet ignored -> {}
                case MetadataRecord.ScramCredentialRemoved ignored -> {}
                case MetadataRecord.QuotaChanged ignored -> {}
                case MetadataRecord.AclCreated ignored -> {}
                case MetadataRecord.AclDeleted ignored -> {}
                case MetadataRecord.FeatureChanged ignored -> {}
                case MetadataRecord.ProducerIdsAllocated ignored -> {}
                case MetadataRecord.OperationRecorded ignored -> {}
                case MetadataRecord.CountersRestored ignored -> {}
            }
        }
        if (brokerChanged) {
            after.logs().forEach(this::reconfigure);
        }
    }

    /** Creates what found the disk full before: there may be space now. To be called now and then. */
    public void retryWithoutSpace(MetadataImage image) {
        for (UUID logId : partitions.withoutSpace()) {
            image.log(logId).ifPresent(log -> {
                for (int index = 0; index < log.partitions().size(); index++) {
                    if (partitions.lacksSpace(logId, index)) {
                        open(log, index);
                    }
                }
            });
        }
    }

    @Override
    public void onReset(MetadataImage before, MetadataImage after) {
        if (brokerEpoch < 0) {
            return;
        }
        for (LogInfo log : before.logs()) {
            if (after.log(log.logId()).isEmpty()) {
                remove(log);
            }
        }
        for (LogInfo log : after.logs()) {
            openLed(log);
        }
    }

    private void openLed(LogInfo log) {
        for (int index = 0; index < log.partitions().size(); index++) {
            PartitionInfo info = log.partitions().get(index);
            if (info.leader().equals(OptionalInt.of(brokerId)) && !partitions.contains(log.logId(), index)) {
                open(log, index);
            }
        }
    }

    private void open(LogInfo log, int index) {
        int owner = Math.floorMod(log.logId().hashCode() + index, shards.size());
        Shard shard = shards.get(owner);
        PartitionId id = new PartitionId(log.name(), index);
        PartitionMetrics counts = metrics.partition(
                log.logId(),
                DestinationName.fromLogName(log.name()).jmsName(),
                Destinations.kindOf(log).word(),
                index,
                owner);
        CompletableFuture<Partition> opening = removals.getOrDefault(id, CompletableFuture.completedFuture(null))
                .thenCompose(removed -> opener.open(log, index, brokerEpoch, shard, counts));
        partitions.put(log.logId(), index, opening);
    }

    /** A partition that is being opened was told what was set before: it gets to know the rest when it is open. */
    private void reconfigure(LogInfo log) {
        for (int index = 0; index < log.partitions().size(); index++) {
            partitions
                    .whenOpen(log.logId(), index)
                    .ifPresent(opening -> opening.thenAccept(
                            partition -> partition.shard().execute(() -> opener.reconfigure(partition, log))));
        }
    }

    private void remove(LogInfo log) {
        metrics.remove(log.logId());
        for (int index = 0; index < log.partitions().size(); index++) {
            PartitionId id = new PartitionId(log.name(), index);
            CompletableFuture<Void> removal = new CompletableFuture<>();
            removals.put(id, removal);
            partitions.remove(log.logId(), index).whenComplete((open, failure) -> {
                if (failure == null) {
                    open.shard().execute(() -> removeOpen(open, removal));
                } else {
                    opener.delete(id, () -> onRemoved(id, removal));
                }
            });
        }
    }

    private void removeOpen(Partition open, CompletableFuture<Void> removal) {
        try {
            open.delete();
            LOG.atDebug()
                    .addKeyValue("event", "partition_deleted")
                    .addKeyValue("partition", open)
                    .log("Partition is deleted");
        } finally {
            onRemoved(open.id(), removal);
        }
    }

    private void onRemoved(PartitionId id, CompletableFuture<Void> removal) {
        control.execute(() -> {
            removals.remove(id, removal);
            removal.complete(null);
        });
    }

    /** Durable subscriptions want everything that is ever in a new partition. */
    private void beginCursors(MetadataImage before, MetadataImage after, UUID logId) {
        after.log(logId).ifPresent(this::openLed);
        int first = before.log(logId).map(log -> log.partitions().size()).orElse(0);
        int count = after.log(logId).map(log -> log.partitions().size()).orElse(0);
        List<CursorId> cursors = new ArrayList<>();
        after.subscriptionsOf(logId).forEach(subscription -> cursors.add(new CursorId(subscription.subscriptionId())));
        for (int index = first; index < count; index++) {
            partitions
                    .whenOpen(logId, index)
                    .ifPresent(opening -> opening.thenAccept(
                            partition -> partition.shard().execute(() -> cursors.forEach(partition.cursors()::begin))));
        }
    }

    private void dropCursor(LogInfo log, UUID subscription) {
        for (Partition partition : partitions.of(log.logId(), log.partitions().size())) {
            partition
                    .shard()
                    .execute(() -> partition
                            .cursors()
                            .delete(
                                    new CursorId(subscription),
                                    ErrorCode.SUBSCRIPTION_NOT_FOUND,
                                    "the subscription was deleted"));
        }
    }

    /**
     * A subscription may have been deleted, and the broker stopped before its cursors were. And one that is complete has a cursor in each
     * partition, unless that is among what an operator gave up.
     */
    private void dropOrphans(MetadataImage image) {
        for (Partition partition : partitions.all()) {
            Set<UUID> alive = new HashSet<>();
            List<CursorId> complete = new ArrayList<>();
            image.subscriptionsOf(partition.logId()).forEach(subscription -> {
                alive.add(subscription.subscriptionId());
                if (subscription.state() == SubscriptionState.ACTIVE) {
                    complete.add(new CursorId(subscription.subscriptionId()));
                }
            });
            partition.shard().execute(() -> {
                complete.forEach(partition.cursors()::restore);
                for (CursorId cursor : partition.cursors().durable()) {
                    if (!cursor.equals(CursorId.QUEUE) && !alive.contains(cursor.value())) {
                        LOG.atInfo()
                                .addKeyValue("event", "cursor_dropped")
                                .addKeyValue("cursor", cursor)
                                .addKeyValue("partition", partition)
                                .log("Dropping a cursor whose subscription was deleted");
                        partition
                                .cursors()
                                .delete(cursor, ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted");
                    }
                }
            });
        }
    }
}
