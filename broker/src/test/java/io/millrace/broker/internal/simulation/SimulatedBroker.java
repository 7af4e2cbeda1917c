package io.millrace.broker.internal.simulation;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.HastyPartitions;
import io.millrace.broker.internal.destination.InternalTopic;
import io.millrace.broker.internal.destination.LiveConfig;
import io.millrace.broker.internal.destination.PartitionLifecycle;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.destination.Purges;
import io.millrace.broker.internal.handler.RequestRouter;
import io.millrace.broker.internal.kafka.transaction.TransactionalAppends;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.session.ConnectionClaims;
import io.millrace.broker.internal.session.ConsumerReleaser;
import io.millrace.broker.internal.session.SessionSettings;
import io.millrace.broker.internal.session.Sessions;
import io.millrace.broker.internal.session.SubscriptionMembers;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.session.TransientSubscriptions;
import io.millrace.broker.internal.shard.FaultHandler;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.broker.internal.temporary.TemporaryPartitions;
import io.millrace.broker.internal.transaction.OffsetsParticipant;
import io.millrace.broker.internal.transaction.OpenTransactionCheck;
import io.millrace.broker.internal.transaction.PartitionParticipants;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.broker.internal.transaction.admin.ParticipantStandings;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.coordinator.claims.InMemoryClaims;
import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogMemory;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A broker from its start to its crash: all that {@code BrokerAssembly} builds for JMS clients and transactions, from the frames of a client down to the
 * files, without sockets and threads. It does something only when it is told to {@link #work}.
 */
final class SimulatedBroker implements MetadataListener {

    static final int ID = 1;

    private static final int SHARDS = 2;
    private static final int QUEUE_CAPACITY = 100_000;

    private final RandomGenerator random;
    private final DiskLogStorage storage;
    private final ClusterMetadata metadata;
    private final LiveConfig live;
    private final PartitionLifecycle lifecycle;
    private final Shard control;
    private final List<Shard> shards = new ArrayList<>();
    private final ArrayDeque<Runnable> io = new ArrayDeque<>();
    private final Partitions partitions = new Partitions();
    private final OpenTransactionCheck check;
    private final TransactionCoordination transactions;
    private final TransactionalAppends appends;
    private final RequestRouter router;
    private long brokerEpoch;
    private boolean ready;

    /**
     * Builds a broker on storage that was opened for it.
     *
     * @param engines makes what drives commits
     */
    SimulatedBroker(
            BrokerConfig config,
            DiskLogStorage storage,
            ClusterMetadata metadata,
            TimeSource time,
            RandomGenerator random,
            Function<Executor, CommitEngine> engines,
            FaultHandler faults) {
        this.random = random;
        this.storage = storage;
        this.metadata = metadata;
        this.control = new Shard("control", time, QUEUE_CAPACITY, faults);
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new Shard("shard-" + i, time, QUEUE_CAPACITY, faults));
        }
        Supplier<UUID> ids = this::id;
        this.live = new LiveConfig(config, ID);
        this.lifecycle = HastyPartitions.lifecycle(ID, partitions, storage, random, live, shards, control, this::later);
        ProducerIds producerIds = new ProducerIds(metadata, control, ids, ID, () -> brokerEpoch);
        OffsetsParticipant noGroups =
                (partition, ending) -> CompletableFuture.failedStage(new IllegalStateException("there are no groups"));
        this.transactions = new TransactionCoordination(
                config,
                new InternalTopic(metadata, partitions, SimulatedWorld.TRANSACTION_LOG, 2, 8_000, ids),
                partitions,
                producerIds,
                engines,
                shard -> new PartitionParticipants(metadata, partitions, noGroups, shard),
                this::later);
        this.check = new OpenTransactionCheck(partitions, transactions, noGroups, control);
        this.appends = new TransactionalAppends(transactions);
        this.router = router(config, ids, producerIds);
    }

    private RequestRouter router(BrokerConfig config, Supplier<UUID> ids, ProducerIds producerIds) {
        ConnectionClaims claims = new ConnectionClaims(new InMemoryClaims(control, 1_000), ID, () -> brokerEpoch);
        SubscriptionMembers members = new SubscriptionMembers(claims);
        Subscriptions subscriptions = new Subscriptions(metadata, partitions, members, claims, ids, control);
        Destinations destinations = new Destinations(metadata, partitions, ids, false, false);
        ClientTransactions clients = new ClientTransactions(transactions);
        return new RequestRouter(new RequestRouter.Services(
                config,
                live::current,
                control,
                this::later,
                ids,
                partitions,
                destinations,
                new Purges(destinations, partitions),
                temporary(),
                producerIds,
                new Sessions(
                        new SessionSettings(15_000, 100, 100),
                        control,
                        List.of(new ConsumerReleaser(), members, clients)),
                members,
                subscriptions,
                new TransientSubscriptions(subscriptions, members, ids, control),
                claims,
                clients,
                new ClientBranches(transactions, clients),
                new TransactionAdmin(
                        transactions,
                        clients,
                        new ParticipantStandings(log -> metadata.image().logNamed(log), partitions))));
    }

    private TemporaryDestinations temporary() {
        return new TemporaryDestinations(
                ID,
                () -> brokerEpoch,
                15_000,
                100,
                new TemporaryPartitions(
                        shards,
                        new BrokerMetrics(SHARDS),
                        LendingMemory.unlimited(),
                        new LogMemory(1 << 20),
                        () -> brokerEpoch,
                        CursorLimits.DEFAULT,
                        this::later,
                        1 << 16),
                partitions,
                control);
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private void later(Runnable task) {
        io.add(task);
    }

    /** Registers, opens its partitions, and begins to serve. */
    void start() {
        metadata.controller()
                .submit(new MetadataCommand.RegisterBroker(id(), ID, storage.incarnation(), List.of()))
                .thenCompose(result -> {
                    brokerEpoch = ((RegisterBrokerResult.Registered) result).brokerEpoch();
                    return lifecycle.activate(metadata.image(), brokerEpoch);
                })
                .thenRun(() -> {
                    transactions.wakeUpIfUsed();
                    check.start();
                    ready = true;
                })
                .exceptionally(failure -> {
                    throw new AssertionError("the broker does not start", failure);
                });
    }

    boolean isReady() {
        return ready;
    }

    /** Does a part of what there is to do; returns whether that was anything. */
    boolean work() {
        int one = random.nextInt(SHARDS + 2);
        if (one < SHARDS) {
            return shards.get(one).runTurn();
        }
        if (one == SHARDS) {
            return control.runTurn();
        }
        Runnable task = io.poll();
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    /** Does all that there is to do, but for the disk. */
    boolean workAll() {
        boolean worked = control.runTurn();
        for (Shard shard : shards) {
            worked |= shard.runTurn();
        }
        for (Runnable task = io.poll(); task != null; task = io.poll()) {
            task.run();
            worked = true;
        }
        return worked;
    }

    void sync() {
        storage.runSyncRounds();
    }

    Partition partition(UUID log) {
        if (partitions.find(log, 0) instanceof Partitions.Lookup.Found(Partition open)) {
            return open;
        }
        throw new AssertionError("partition 0 of " + log + " is not open");
    }

    /** Returns whether all that was opened still serves. */
    boolean serves() {
        return partitions.countOffline() == 0;
    }

    TransactionCoordination transactions() {
        return transactions;
    }

    TransactionalAppends appends() {
        return appends;
    }

    RequestRouter router() {
        return router;
    }

    @Override
    public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
        live.onCommitted(before, after, records);
        lifecycle.onCommitted(before, after, records);
    }

    @Override
    public void onReset(MetadataImage before, MetadataImage after) {
        live.onReset(before, after);
        lifecycle.onReset(before, after);
    }
}
