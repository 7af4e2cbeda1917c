package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ListenerAddress;
import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.MetricsExport;
import io.millrace.broker.internal.network.NettyListener;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.security.TlsEngines;
import io.millrace.broker.internal.shard.ShardLoop;
import io.millrace.broker.internal.shard.ShardRunner;
import io.millrace.broker.internal.shard.ShardThread;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.metadata.BrokerEndpoint;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.coordinator.quorum.MetadataQuorum;
import io.millrace.coordinator.quorum.QuorumSettings;
import io.millrace.coordinator.quorum.RaftMetadataQuorum;
import io.millrace.log.BootId;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogConfigKeys;
import io.millrace.log.LogStorage;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker that runs. {@link #start} returns when it serves; {@link #close} ends it in good order.
 *
 * <p>The methods block and may be called from any thread but the broker's own.
 */
public final class Broker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private static final long START_TIMEOUT_MS = 120_000;
    private static final long CLOSE_TIMEOUT_MS = 30_000;
    private static final long SILENCE_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TLS_CHECK_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long SPACE_CHECK_NS = TimeUnit.SECONDS.toNanos(2);

    private final BrokerAssembly parts;
    private final List<ShardRunner> runners = new ArrayList<>();
    private final Runnable abandonStorage;
    private final CompletionStage<Throwable> failed;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private Map<String, Integer> ports = Map.of();
    private volatile @Nullable MetricsExport metricsExport;

    private Broker(BrokerAssembly parts, Runnable abandonStorage, CompletionStage<Throwable> failed) {
        this.parts = parts;
        this.abandonStorage = abandonStorage;
        this.failed = failed;
        failed.thenAccept(
                cause -> Thread.ofPlatform().name(parts.name + "-stop").start(() -> stop(cause)));
    }

    /**
     * Opens the data directories of a configuration ({@code log.dirs}) and starts a broker on them.
     *
     * @throws io.millrace.log.DataDirectoryException if a directory cannot be used
     * @throws io.millrace.broker.config.PortUnavailableException if it cannot listen
     * @throws BrokerStartException if it cannot serve for another reason
     */
    public static Broker start(BrokerConfig config, TimeSource time) {
        List<Path> directories =
                config.get(LogConfigKeys.LOG_DIRS).stream().map(Path::of).toList();
        return start(config, directories, time, BrokerAssembly.chance());
    }

    /** The same with directories of any file system, and a source of identities. */
    static Broker start(BrokerConfig config, List<Path> directories, TimeSource time, RandomGenerator random) {
        int brokerId = config.get(BrokerKeys.BROKER_ID);
        BrokerMetrics metrics = new BrokerMetrics(config.shards());
        DiskLogStorage storage = DiskLogStorage.builder(directories, time, random)
                .brokerId(brokerId)
                .bootId(BootId.current())
                .reserveBytes(config.get(LogConfigKeys.RESERVE_BYTES))
                .maxOpenFiles(config.openLogFiles())
                .commitJournalBytes(config.get(LogConfigKeys.COMMIT_JOURNAL_BYTES))
                .syncObserver(metrics.syncs())
                .threads(BrokerAssembly.daemons("millrace-" + brokerId + "-syncer-"))
                .open();
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        MetadataQuorum quorum;
        try {
            quorum = new RaftMetadataQuorum(
                    QuorumSettings.alone(storage.clusterId(), brokerId),
                    storage,
                    new NoPeers(),
                    time,
                    BrokerAssembly.daemons("millrace-" + brokerId + "-quorum-"),
                    (part, cause) -> failed.complete(cause));
        } catch (MillraceException e) {
            storage.close();
            throw e;
        }
        return start(config, storage, quorum, time, random, metrics, storage::abandon, failed);
    }

    /**
     * Starts a broker on storage and a metadata log that were opened for it. They belong to the broker from here on, also if the start
     * fails.
     *
     * @param metrics counters for the shards of the configuration
     * @param abandonStorage has the storage let go of everything as a crash would
     * @param failed to be completed when the quorum has stopped by itself
     * @throws BrokerStartException if it cannot serve
     * @throws io.millrace.broker.config.PortUnavailableException if it cannot listen
     */
    static Broker start(
            BrokerConfig config,
            LogStorage storage,
            MetadataQuorum quorum,
            TimeSource time,
            RandomGenerator random,
            BrokerMetrics metrics,
            Runnable abandonStorage,
            CompletableFuture<Throwable> failed) {
        LOG.atInfo()
                .addKeyValue("event", "config_loaded")
                .addKeyValue("broker", config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("settings", config.overrides())
                .log("Configuration is loaded; what is not listed has its default");
        config.warnings()
                .forEach(warning ->
                        LOG.atWarn().addKeyValue("event", "config_warning").log(warning));
        LOG.atInfo()
                .addKeyValue("event", "broker_starting")
                .addKeyValue("broker", config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("cluster", storage.clusterId())
                .addKeyValue("start", storage.startKind())
                .log("Broker is starting");
        BrokerAssembly parts = new BrokerAssembly(
                config,
                storage,
                quorum,
                time,
                random,
                metrics,
                (where, fault) -> LOG.error("{} failed: this is a bug in the broker", where, fault),
                (part, cause) -> failed.complete(cause));
        Broker broker = new Broker(parts, abandonStorage, failed);
        try {
            broker.run();
            return broker;
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    private void run() {
        long startedNs = parts.time.nanoTime();
        ports = parts.listener.bind();
        runControl();
        runShards();
        parts.metadata.start();
        await(parts.metadata.whenLeading(), "the metadata quorum has no leader");
        parts.brokerEpoch.set(register());
        await(activateLifecycle(), "the partitions do not open");
        parts.control.execute(this::checkSilence);
        parts.control.execute(this::scheduleRetention);
        parts.control.execute(this::retryWithoutSpace);
        parts.control.execute(this::checkTls);
        parts.cleaner.start(BrokerAssembly.daemons(parts.name + "-cleaner-"));
        parts.listener.startAccepting();
        long startNs = parts.time.nanoTime() - startedNs;
        exportMetrics(startNs);
        LOG.atInfo()
                .addKeyValue("event", "broker_ready")
                .addKeyValue("broker", parts.config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("cluster", parts.storage.clusterId())
                .addKeyValue("address", address())
                .addKeyValue("partitions", parts.partitions.all().size())
                .addKeyValue("brokerEpoch", parts.brokerEpoch.get())
                .addKeyValue("tookMs", TimeUnit.NANOSECONDS.toMillis(startNs))
                .log("Broker is ready");
        parts.groups.wakeUpIfUsed();
        parts.transactions.wakeUpIfUsed();
        parts.openTransactions.start();
    }

    private void exportMetrics(long startNs) {
        if (parts.config.get(BrokerKeys.METRICS_JMX)) {
            metricsExport = MetricsExport.toJmx(
                    parts.metrics,
                    new AssemblyFacts(parts, startNs),
                    parts.time,
                    parts.config.get(BrokerKeys.BROKER_ID),
                    parts.config.get(BrokerKeys.METRICS_DESTINATIONS_MAX),
                    BrokerAssembly.daemons(parts.name + "-metrics-"));
        }
    }

    private void endMetrics() {
        MetricsExport export = metricsExport;
        if (export != null) {
            export.close();
        }
    }

    private void runControl() {
        runners.add(ShardThread.start(
                parts.control,
                Thread.ofPlatform().daemon().name(parts.control.name()).factory()));
    }

    private void runShards() {
        List<ScheduledExecutorService> loops = parts.listener.loops();
        for (int i = 0; i < parts.shards.size(); i++) {
            runners.add(ShardLoop.start(parts.shards.get(i), loops.get(i % loops.size())));
        }
    }

    private long register() {
        List<BrokerEndpoint> endpoints = new ArrayList<>();
        for (ListenerConfig listener : parts.config.listeners()) {
            ListenerAddress told = parts.config.advertised(listener, port(listener.name()));
            endpoints.add(new BrokerEndpoint(listener.name(), told.host(), told.port()));
        }
        MetadataCommand.RegisterBroker command = new MetadataCommand.RegisterBroker(
                parts.ids.get(), parts.config.get(BrokerKeys.BROKER_ID), parts.storage.incarnation(), endpoints);
        RegisterBrokerResult result =
                await(parts.metadata.controller().submit(command), "the broker cannot register itself");
        return switch (result) {
            case RegisterBrokerResult.Registered(long brokerEpoch) -> brokerEpoch;
            case RegisterBrokerResult.OtherIncarnation(UUID known) ->
                throw new BrokerStartException("broker.id " + command.brokerId()
                        + " belongs to another data directory (incarnation " + known + ", this one has "
                        + command.incarnation() + "): give this broker another id, or its old directory back");
        };
    }

    private CompletionStage<Void> activateLifecycle() {
        return parts.metadata
                .whenLeading()
                .thenComposeAsync(
                        leader -> parts.lifecycle.activate(parts.metadata.image(), parts.brokerEpoch.get()),
                        parts.control);
    }

    private <T> T await(CompletionStage<T> stage, String otherwise) {
        CompletableFuture<T> outcome = stage.toCompletableFuture().copy();
        // Why the broker stops by itself says more than what the stop does to whatever was under way.
        failed.thenAccept(outcome::completeExceptionally);
        try {
            return outcome.orTimeout(START_TIMEOUT_MS, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String why = cause instanceof TimeoutException
                    ? "not within " + START_TIMEOUT_MS + " ms"
                    : String.valueOf(cause.getMessage());
            throw new BrokerStartException(otherwise + ": " + why, cause);
        }
    }

    private void checkSilence() {
        parts.listener.checkSilence();
        parts.control.schedule(SILENCE_CHECK_NS, this::checkSilence);
    }

    private void checkTls() {
        if (!parts.tls.isEmpty()) {
            parts.io.execute(() -> parts.tls.forEach(TlsEngines::reloadIfChanged));
            parts.control.schedule(TLS_CHECK_NS, this::checkTls);
        }
    }

    private void retryWithoutSpace() {
        parts.lifecycle.retryWithoutSpace(parts.metadata.image());
        parts.control.schedule(SPACE_CHECK_NS, this::retryWithoutSpace);
    }

    private void scheduleRetention() {
        parts.control.schedule(
                TimeUnit.MILLISECONDS.toNanos(parts.config.get(LogConfigKeys.RETENTION_CHECK_INTERVAL_MS)), () -> {
                    retain();
                    scheduleRetention();
                });
    }

    /** Removes what is over its retention, and what queues have consumed. */
    private void retain() {
        for (Partition partition : parts.partitions.all()) {
            partition.shard().execute(partition::retain);
        }
        parts.io.execute(parts.storage::maintain);
    }

    /**
     * Returns a stage that completes with the reason if the broker has to stop by itself, because it can no longer follow the metadata:
     * going on would mean to guess what is true. It closes itself then.
     */
    public CompletionStage<Throwable> whenFailed() {
        return failed;
    }

    private void stop(Throwable cause) {
        LOG.atError()
                .addKeyValue("event", "broker_failed")
                .addKeyValue("broker", parts.config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("cause", String.valueOf(cause.getMessage()))
                .log("The metadata quorum has stopped, and so does this broker");
        close();
    }

    /** Returns the port that the first listener listens on. */
    public int port() {
        return port(parts.config.listeners().getFirst().name());
    }

    /**
     * Returns the port of a listener.
     *
     * @param listener its name in upper case
     */
    public int port(String listener) {
        return ports.getOrDefault(listener, 0);
    }

    /** Returns the cluster's metadata, for tests that set what administrators set. */
    ClusterMetadata metadata() {
        return parts.metadata;
    }

    /** Returns the socket side, for tests that look at what it holds. */
    NettyListener listener() {
        return parts.listener;
    }

    /** Returns what the broker is made of, for tests that look inside. */
    BrokerAssembly parts() {
        return parts;
    }

    /** Returns the memory in which cursors note what they have lent, for tests that look at who waits for it. */
    LendingMemory lending() {
        return parts.lending;
    }

    /** Returns what clients connect to. */
    public ListenerAddress address() {
        return parts.config.advertised(port());
    }

    /**
     * Ends the broker in good order: clients are told, everything is synced, and the next start is quick. Ending a broker again only
     * waits until it is closed.
     */
    @Override
    public void close() {
        if (!ended.compareAndSet(false, true)) {
            closed.join();
            return;
        }
        try {
            closeInOrder();
        } finally {
            closed.complete(null);
        }
    }

    private void closeInOrder() {
        endMetrics();
        LOG.atInfo()
                .addKeyValue("event", "broker_stopping")
                .addKeyValue("broker", parts.config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("address", address())
                .log("Broker is shutting down");
        parts.listener.stopAccepting();
        parts.listener.closeConnections(ErrorCode.SHUTTING_DOWN, "the broker is shutting down");
        parts.groups.close();
        parts.openTransactions.close();
        parts.transactions.close();
        parts.cleaner.close();
        CompletableFuture<?>[] closing = parts.partitions.all().stream()
                .map(partition -> CompletableFuture.runAsync(partition::close, partition.shard()))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(closing)
                    .orTimeout(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            LOG.error("Not all partitions were closed: {}", String.valueOf(e.getCause()));
        }
        parts.metadata.close();
        endThreads();
        parts.transactions.abandon();
        parts.storage.close();
        LOG.atInfo()
                .addKeyValue("event", "broker_stopped")
                .addKeyValue("broker", parts.config.get(BrokerKeys.BROKER_ID))
                .addKeyValue("address", address())
                .log("Broker is closed");
    }

    /**
     * Ends the broker as a crash would: sockets close without a word, nothing more is synced, the data directories are not marked as
     * closed. For tests of recovery within one process.
     */
    void kill() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            endMetrics();
            // It may be waiting for a shard.
            parts.cleaner.close();
            runners.forEach(ShardRunner::stop);
            parts.groups.abandon();
            parts.transactions.abandon();
            parts.listener.close();
            parts.metadata.close();
            parts.io.shutdownNow();
            abandonStorage.run();
        } finally {
            closed.complete(null);
        }
    }

    private void endThreads() {
        runners.forEach(ShardRunner::stop);
        parts.listener.close();
        parts.io.shutdownNow();
    }
}
