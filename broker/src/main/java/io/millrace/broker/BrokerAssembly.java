package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.config.SecurityKeys;
import io.millrace.broker.config.TransactionKeys;
import io.millrace.broker.internal.deadletter.DeadLetterWriter;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.InternalTopic;
import io.millrace.broker.internal.destination.LiveConfig;
import io.millrace.broker.internal.destination.PartitionLifecycle;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.destination.Purges;
import io.millrace.broker.internal.handler.RequestRouter;
import io.millrace.broker.internal.handler.RightsWatch;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.ClusterFeatures;
import io.millrace.broker.internal.kafka.admin.MetadataCommands;
import io.millrace.broker.internal.kafka.admin.TopicWish;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.group.GroupOffsetsParticipant;
import io.millrace.broker.internal.kafka.group.GroupSettings;
import io.millrace.broker.internal.kafka.group.OffsetsTopic;
import io.millrace.broker.internal.kafka.handler.KafkaDoor;
import io.millrace.broker.internal.kafka.handler.KafkaRouter;
import io.millrace.broker.internal.kafka.quota.ClientQuotas;
import io.millrace.broker.internal.kafka.security.MemberAuthorizer;
import io.millrace.broker.internal.kafka.share.ShareCursors;
import io.millrace.broker.internal.kafka.share.ShareDeadLetters;
import io.millrace.broker.internal.kafka.share.ShareGroups;
import io.millrace.broker.internal.kafka.share.ShareSessions;
import io.millrace.broker.internal.kafka.share.ShareSettings;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.network.ListenerEndpoint;
import io.millrace.broker.internal.network.NettyListener;
import io.millrace.broker.internal.network.NetworkSettings;
import io.millrace.broker.internal.partition.LendingLog;
import io.millrace.broker.internal.security.Access;
import io.millrace.broker.internal.security.Authorizer;
import io.millrace.broker.internal.security.DenialLog;
import io.millrace.broker.internal.security.ListenerAccess;
import io.millrace.broker.internal.security.Rights;
import io.millrace.broker.internal.security.StoredUsers;
import io.millrace.broker.internal.security.SuperUsers;
import io.millrace.broker.internal.security.TlsEngines;
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
import io.millrace.broker.internal.transaction.narayana.NarayanaCommitEngine;
import io.millrace.broker.logging.LogLevels;
import io.millrace.coordinator.claims.InMemoryClaims;
import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ControllerSettings;
import io.millrace.coordinator.quorum.MetadataQuorum;
import io.millrace.log.LogCleaner;
import io.millrace.log.LogMemory;
import io.millrace.log.LogStorage;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.time.TimeSource;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.internals.Topic;

/**
 * The object graph of a broker, built from the bottom up in one place. Nothing runs when it is built: {@link Broker} starts it.
 *
 * <p>From a socket down: {@link NettyListener} decodes frames, {@link RequestRouter} gives them to handlers, handlers post to the shard of
 * a partition or to the control shard, where {@link Sessions}, subscriptions and the metadata live.
 */
final class BrokerAssembly {

    private static final int MAX_CLAIMS = 100_000;
    private static final int MIN_IO_THREADS = 4;

    final BrokerConfig config;
    final String name;
    final TimeSource time;
    final BrokerMetrics metrics;
    final Sessions sessions;
    final LogStorage storage;
    final LogCleaner cleaner;
    final Shard control;
    final List<Shard> shards = new ArrayList<>();
    final ExecutorService io;
    final LendingMemory lending;
    final ClusterMetadata metadata;
    final Partitions partitions = new Partitions();
    final PartitionLifecycle lifecycle;
    final GroupCoordination groups;
    final TransactionCoordination transactions;
    final OpenTransactionCheck openTransactions;
    final DeadLetterWriter deadLetters;
    final NettyListener listener;
    final Supplier<UUID> ids;
    final AtomicLong brokerEpoch = new AtomicLong();
    final List<TlsEngines> tls = new ArrayList<>();

    /**
     * Builds a broker.
     *
     * @param storage its data, opened
     * @param quorum the metadata log, not started
     * @param random source of identities
     * @param metrics counters for the shards of the configuration
     * @param faults is told of bugs
     * @param metadataLost is told when the broker can no longer follow the metadata, and must stop
     */
    BrokerAssembly(
            BrokerConfig config,
            LogStorage storage,
            MetadataQuorum quorum,
            TimeSource time,
            RandomGenerator random,
            BrokerMetrics metrics,
            FaultHandler faults,
            io.millrace.coordinator.FaultHandler metadataLost) {
        this.config = config;
        this.storage = storage;
        this.cleaner = storage.cleaner(config.cleaner(), time);
        this.time = time;
        this.metrics = metrics;
        int brokerId = config.get(BrokerKeys.BROKER_ID);
        this.name = "millrace-" + brokerId;
        int queueCapacity = config.get(BrokerKeys.QUEUED_MAX_REQUESTS);
        this.control = new Shard(name + "-control", time, queueCapacity, faults);
        for (int i = 0; i < config.shards(); i++) {
            shards.add(new Shard(name + "-shard-" + i, time, queueCapacity, faults));
        }
        this.io = Executors.newFixedThreadPool(Math.max(MIN_IO_THREADS, 2 * shards.size()), daemons(name + "-io-"));
        this.ids = identities(random);

        this.metadata = new ClusterMetadata(quorum, control, controllerSettings(), random, metadataLost);
        this.lending = new LendingMemory(config.cursorLentBytes(), new LendingLog());
        LiveConfig live = new LiveConfig(config, brokerId);
        metadata.addListener(live);
        this.lifecycle =
                PartitionLifecycle.of(brokerId, partitions, storage, live, metrics, shards, control, io, lending);
        metadata.addListener(lifecycle);
        ConnectionClaims claims =
                new ConnectionClaims(new InMemoryClaims(control, MAX_CLAIMS), brokerId, brokerEpoch::get);
        SubscriptionMembers members = new SubscriptionMembers(claims);
        Subscriptions subscriptions = new Subscriptions(metadata, partitions, members, claims, ids, control);
        TransientSubscriptions transientSubscriptions =
                new TransientSubscriptions(subscriptions, members, ids, control);
        members.addEmptyListener(transientSubscriptions);
        Destinations destinations = new Destinations(
                metadata,
                partitions,
                ids,
                config.get(BrokerKeys.AUTO_CREATE_TOPICS),
                config.get(BrokerKeys.DELETE_TOPICS));
        ProducerIds producerIds = new ProducerIds(metadata, control, ids, brokerId, brokerEpoch::get);
        List<ListenerEndpoint> endpoints = new ArrayList<>();
        StoredUsers users = new StoredUsers(metadata::image);
        for (ListenerConfig configured : config.listeners()) {
            ListenerAccess access =
                    ListenerAccess.of(configured, users, () -> ids.get().getMostSignificantBits());
            access.tls().ifPresent(tls::add);
            endpoints.add(new ListenerEndpoint(configured.address(), access));
        }
        ClientQuotas quotas = new ClientQuotas(
                metadata::image,
                time,
                config.get(SecurityKeys.QUOTA_WINDOW_NUM),
                config.get(SecurityKeys.QUOTA_WINDOW_SECONDS));
        Authorizer authorizer = new Authorizer(
                config.authorizes(),
                SuperUsers.of(config.get(SecurityKeys.SUPER_USERS)),
                config.get(SecurityKeys.ALLOW_IF_NO_ACL),
                metadata::image,
                new DenialLog(time));
        KafkaTopics topics = new KafkaTopics(metadata, partitions, ids, config.get(BrokerKeys.AUTO_CREATE_TOPICS));
        ShareSettings shareSettings = new ShareSettings(() -> GroupSettings.share(config), metadata::image);
        ShareCursors shareCursors =
                new ShareCursors(metadata::image, partitions, subscriptions, shareSettings, control, io, time);
        GroupCoordination.check(config);
        OffsetsTopic offsets = new OffsetsTopic(metadata, partitions, config, ids);
        this.groups = GroupCoordination.asleep(
                config,
                live::current,
                time,
                control,
                io,
                metadata,
                partitions,
                offsets,
                shareCursors,
                authorizer.isEnabled()
                        ? Optional.of(new MemberAuthorizer(authorizer, metadata::image))
                        : Optional.empty());
        metadata.addListener(groups);
        this.deadLetters = new DeadLetterWriter(control, io);
        ShareGroups shareGroups = new ShareGroups(
                topics,
                shareCursors,
                shareSettings,
                new ShareSessions(shareSettings::maxSessions, ids),
                new ShareDeadLetters(
                        live::current,
                        () -> ClusterFeatures.offersDeadLetters(metadata.image()),
                        shareSettings,
                        topics,
                        deadLetters));
        OffsetsParticipant offsetsParticipant = new GroupOffsetsParticipant(groups, offsets);
        this.transactions = transactions(producerIds, offsetsParticipant);
        this.openTransactions = new OpenTransactionCheck(partitions, transactions, offsetsParticipant, control);
        ClientTransactions clientTransactions = new ClientTransactions(transactions);
        this.sessions = new Sessions(
                new SessionSettings(
                        config.get(BrokerKeys.SESSION_GRACE_MS),
                        config.get(BrokerKeys.MAX_SESSIONS),
                        config.get(BrokerKeys.MAX_CONSUMERS)),
                control,
                List.of(new ConsumerReleaser(), members, clientTransactions));
        metadata.addListener(new RightsWatch(sessions, control, metadata::image));
        RequestRouter router = new RequestRouter(new RequestRouter.Services(
                config,
                live::current,
                control,
                io,
                ids,
                partitions,
                destinations,
                new Purges(destinations, partitions),
                temporary(),
                producerIds,
                sessions,
                members,
                subscriptions,
                transientSubscriptions,
                claims,
                clientTransactions,
                new ClientBranches(transactions, clientTransactions),
                new TransactionAdmin(
                        transactions,
                        clientTransactions,
                        new ParticipantStandings(log -> metadata.image().logNamed(log), partitions))));
        KafkaRouter kafka = KafkaDoor.router(new KafkaDoor.Services(
                config,
                storage.clusterId(),
                time,
                new SplittableRandom(random.nextLong()),
                topics,
                authorizer,
                quotas,
                producerIds,
                groups,
                shareGroups,
                transactions,
                offsetsParticipant,
                adminServices(live, topics),
                io));
        this.listener = new NettyListener(
                networkSettings(),
                endpoints,
                io,
                (principal, host) -> new Rights(new Access(authorizer, principal, host)),
                quotas::connect,
                config.networkThreads(),
                name,
                time,
                router,
                this::welcome,
                kafka,
                metrics.network());
        live.onChange(changed -> {
            listener.limitConnections(changed.maxConnections(), changed.get(BrokerKeys.MAX_CONNECTIONS_PER_IP));
            cleaner.reconfigure(changed.cleaner());
        });
    }

    private TemporaryDestinations temporary() {
        return new TemporaryDestinations(
                config.get(BrokerKeys.BROKER_ID),
                brokerEpoch::get,
                config.get(BrokerKeys.SESSION_GRACE_MS),
                config.get(BrokerKeys.TEMPORARY_MAX_DESTINATIONS),
                new TemporaryPartitions(
                        shards,
                        metrics,
                        lending,
                        new LogMemory(config.temporaryBytes()),
                        brokerEpoch::get,
                        new CursorLimits(
                                config.get(BrokerKeys.CURSOR_WINDOW_RECORDS), CursorLimits.DEFAULT.horizonStep()),
                        io,
                        config.temporaryDestinationBytes()),
                partitions,
                control);
    }

    private TransactionCoordination transactions(ProducerIds producerIds, OffsetsParticipant offsets) {
        return new TransactionCoordination(
                config,
                new InternalTopic(
                        metadata,
                        partitions,
                        Topic.TRANSACTION_STATE_TOPIC_NAME,
                        config.get(TransactionKeys.TOPIC_PARTITIONS),
                        config.get(TransactionKeys.TOPIC_SEGMENT_BYTES),
                        ids),
                partitions,
                producerIds,
                NarayanaCommitEngine::new,
                shard -> new PartitionParticipants(metadata, partitions, offsets, shard),
                io);
    }

    private AdminServices adminServices(LiveConfig live, KafkaTopics topics) {
        return new AdminServices(
                config,
                live::current,
                config.get(BrokerKeys.BROKER_ID),
                topics,
                new MetadataCommands(metadata, ids),
                storage,
                config.authorizes(),
                io,
                ServiceLoader.load(LogLevels.class).findFirst());
    }

    private ControllerSettings controllerSettings() {
        ControllerSettings defaults = ControllerSettings.defaults(new MetadataConfigValidator(config));
        return new ControllerSettings(
                config.get(BrokerKeys.NUM_PARTITIONS),
                1,
                Math.max(TopicWish.MAX_PARTITIONS, config.get(BrokerKeys.NUM_PARTITIONS)),
                config.get(BrokerKeys.MAX_DESTINATIONS),
                defaults.maxSubscriptions(),
                defaults.snapshotEveryRecords(),
                new MetadataConfigValidator(config));
    }

    private NetworkSettings networkSettings() {
        return new NetworkSettings(
                config.maxConnections(),
                config.get(BrokerKeys.MAX_CONNECTIONS_PER_IP),
                config.get(BrokerKeys.SOCKET_REQUEST_MAX_BYTES),
                config.maxTransferBytes(),
                config.transferPoolBytes(),
                config.get(BrokerKeys.CONNECTION_IN_FLIGHT_BYTES),
                config.get(BrokerKeys.CONNECTION_OUTBOUND_BYTES),
                config.queuedMaxRequestBytes(),
                config.brokerOutboundBytes(),
                config.get(BrokerKeys.MAX_OPEN_REQUESTS),
                config.get(SecurityKeys.SASL_MAX_RECEIVE_BYTES),
                config.get(SecurityKeys.FAILED_LOGIN_DELAY_MS),
                config.get(BrokerKeys.LOGIN_TIMEOUT_MS),
                config.get(BrokerKeys.HEARTBEAT_INTERVAL_MS),
                config.get(BrokerKeys.SESSION_GRACE_MS),
                config.get(BrokerKeys.CONNECTIONS_MAX_IDLE_MS));
    }

    private HelloOk welcome() {
        return new HelloOk(
                storage.clusterId(),
                config.get(BrokerKeys.BROKER_ID),
                storage.incarnation(),
                brokerEpoch.get(),
                time.wallClockMs(),
                config.get(BrokerKeys.HEARTBEAT_INTERVAL_MS),
                config.get(BrokerKeys.SESSION_GRACE_MS),
                FrameCodec.MAX_FRAME_BYTES,
                config.maxTransferBytes(),
                config.get(BrokerKeys.MAX_OPEN_REQUESTS),
                List.of());
    }

    /** Identities from one generator, which is not made for several threads. */
    private static Supplier<UUID> identities(RandomGenerator random) {
        ReentrantLock lock = new ReentrantLock();
        return () -> {
            lock.lock();
            try {
                return new UUID(random.nextLong(), random.nextLong());
            } finally {
                lock.unlock();
            }
        };
    }

    /** The source of chance of a broker in production. */
    static RandomGenerator chance() {
        return new SecureRandom();
    }

    static ThreadFactory daemons(String prefix) {
        return Thread.ofPlatform().daemon().name(prefix, 0).factory();
    }
}
