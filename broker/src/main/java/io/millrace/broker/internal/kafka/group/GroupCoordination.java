package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.wire.time.TimeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.authorizer.Authorizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coordinator of all groups of this broker, from the first use of a group on. Until then nothing of it is loaded; after a restart it is
 * built once the broker serves, if there are groups.
 *
 * <p>States: asleep, being built, running, closed. While it runs it follows the metadata and has the partitions of
 * {@code __consumer_offsets}: each is loaded when it is open here, and until then its groups are answered that they are being loaded.
 *
 * <p>From any thread, except where it says otherwise.
 */
public final class GroupCoordination implements MetadataListener {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCoordination.class);

    /** How long somebody who looks for a coordinator may wait for it, rather than being told to come back. */
    private static final long PATIENCE_MS = 2_000;

    private final CoordinatorParts.Surroundings surroundings;
    private final OffsetsTopic topic;
    private final Shard control;
    private final Executor io;
    private final AtomicReference<@Nullable CompletableFuture<CoordinatorParts>> running = new AtomicReference<>();
    private final CompletableFuture<Void> loaded = new CompletableFuture<>();
    private final AtomicInteger partitionsLoaded = new AtomicInteger();
    private volatile boolean closed;

    // On the control shard.
    private final GroupMetadata topics = new GroupMetadata();
    private @Nullable CoordinatorParts parts;
    private boolean elected;

    GroupCoordination(CoordinatorParts.Surroundings surroundings) {
        this.surroundings = surroundings;
        this.topic = surroundings.topic();
        this.control = surroundings.control();
        this.io = surroundings.io();
    }

    /**
     * Creates it, asleep.
     *
     * @param current the settings that apply now
     * @param authorizer says which topics a member may see; empty: all of them
     */
    public static GroupCoordination asleep(
            BrokerConfig config,
            Supplier<BrokerConfig> current,
            TimeSource time,
            Shard control,
            Executor io,
            ClusterMetadata metadata,
            Partitions partitions,
            OffsetsTopic topic,
            ShareState shareState,
            Optional<Authorizer> authorizer) {
        return new GroupCoordination(new CoordinatorParts.Surroundings(
                config, current, time, control, io, metadata, partitions, topic, shareState, authorizer));
    }

    /**
     * Checks settings of groups that were made; what nobody set fits together.
     *
     * @throws io.millrace.log.config.InvalidConfigException if they contradict each other
     */
    public static void check(BrokerConfig config) {
        if (GroupSettings.isAnySet(config)) {
            GroupSettings.coordinator(config);
            GroupSettings.share(config);
        }
    }

    /**
     * Checks what a group is to set for itself against the bounds of the broker.
     *
     * @return what stands against it, if anything
     */
    public static Optional<String> problem(BrokerConfig config, String key, String value) {
        try {
            GroupConfig.validate(Map.of(key, value), GroupSettings.coordinator(config), GroupSettings.share(config));
            return Optional.empty();
        } catch (ConfigException | ApiException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Has the coordinator built if there are groups already. */
    public void wakeUpIfUsed() {
        if (topic.log().isPresent()) {
            // A failure is logged, and told to whoever uses a group.
            var _ = build();
        }
    }

    /** Returns the coordinator, which is built if this is the first use. Fails if the broker is shutting down. */
    public CompletionStage<GroupCoordinator> coordinator() {
        return build().thenApply(CoordinatorParts::service);
    }

    /**
     * Returns what the coordinator measures of itself; 0 while there is none.
     *
     * @param name by which Kafka shows it
     * @param tags likewise
     */
    public double measured(String name, Map<String, String> tags) {
        CompletableFuture<CoordinatorParts> present = running.get();
        return present == null || !present.isDone() || present.isCompletedExceptionally()
                ? 0
                : present.join().measured(name, tags);
    }

    /** Returns whether all groups are loaded. */
    public boolean isLoaded() {
        return loaded.isDone();
    }

    /**
     * Sees to it that groups can be used: the topic of groups exists, and is loaded. Completes after two seconds in any case, unless that
     * cannot be; what is not loaded by then, answers for itself.
     */
    public CompletionStage<Void> whenUsable() {
        return build().thenCompose(built -> topic.orCreate())
                .thenCompose(log -> loaded)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(null, PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    private void onPartitionLoaded() {
        if (partitionsLoaded.incrementAndGet() >= topic.partitionCount()) {
            loaded.complete(null);
        }
    }

    private CompletableFuture<CoordinatorParts> build() {
        CompletableFuture<CoordinatorParts> present = running.get();
        if (present != null) {
            return present;
        }
        CompletableFuture<CoordinatorParts> building = new CompletableFuture<>();
        if (!running.compareAndSet(null, building)) {
            return build();
        }
        io.execute(() -> {
            try {
                CoordinatorParts built = CoordinatorParts.build(surroundings, this::onPartitionLoaded);
                control.execute(() -> begin(built, building));
            } catch (RuntimeException | Error e) {
                LOG.atError()
                        .addKeyValue("event", "group_coordinator_failed")
                        .addKeyValue("cause", String.valueOf(e.getMessage()))
                        .setCause(e)
                        .log("The group coordinator cannot be built: groups do not work");
                building.completeExceptionally(new CoordinatorNotAvailableException(
                        "the group coordinator cannot be built: " + e.getMessage()));
            }
        });
        return building;
    }

    private void begin(CoordinatorParts built, CompletableFuture<CoordinatorParts> building) {
        if (abandonIfClosed(built, building)) {
            return;
        }
        MetadataImage image = surroundings.metadata().image();
        built.service().startup(topic::partitionCount);
        parts = built;
        GroupMetadata.Step first = topics.reset(image);
        built.service().onMetadataUpdate(first.delta(), first.image());
        image.groupConfigs().forEach(group -> updateGroupConfig(built, group.groupId(), group.values()));
        // Nobody asks before it knows what there is to be loaded: else there would seem to be no group at all.
        topic.log()
                .ifPresentOrElse(
                        log -> topic.whenOpened(log)
                                .thenRun(() -> control.execute(() -> complete(built, building, log))),
                        () -> building.complete(built));
        LOG.atInfo()
                .addKeyValue("event", "group_coordinator_started")
                .addKeyValue("partitions", topic.partitionCount())
                .log("The group coordinator is started");
    }

    private void complete(CoordinatorParts built, CompletableFuture<CoordinatorParts> building, LogInfo log) {
        if (!abandonIfClosed(built, building)) {
            elect(log);
            building.complete(built);
        }
    }

    private boolean abandonIfClosed(CoordinatorParts built, CompletableFuture<CoordinatorParts> building) {
        if (closed) {
            building.completeExceptionally(new CoordinatorNotAvailableException("the broker is shutting down"));
            io.execute(built::abandon);
        }
        return closed;
    }

    /** Replaces what a group sets for itself, by the names of Kafka's group configurations; nothing for a group that sets nothing. */
    private static void updateGroupConfig(CoordinatorParts told, String groupId, Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        told.service().updateGroupConfig(groupId, properties);
    }

    private void electWhenOpened(LogInfo log) {
        topic.whenOpened(log).thenRun(() -> control.execute(() -> elect(log)));
    }

    /** This broker decides for all groups: it leads all partitions. */
    private void elect(LogInfo log) {
        if (parts == null || closed || elected) {
            return;
        }
        elected = true;
        for (int index = 0; index < log.partitions().size(); index++) {
            parts.service().onElection(index, log.partitions().get(index).leaderEpoch());
        }
    }

    /** On the control shard, as all changes of metadata. */
    @Override
    public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
        CoordinatorParts told = parts;
        if (told == null) {
            return;
        }
        Set<UUID> changed = new HashSet<>();
        for (MetadataRecord record : records) {
            if (record instanceof MetadataRecord.LogCreated created) {
                changed.add(created.logId());
                if (created.name().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
                    after.log(created.logId()).ifPresent(this::electWhenOpened);
                }
            } else if (record instanceof MetadataRecord.LogDeleted deleted) {
                changed.add(deleted.logId());
            } else if (record instanceof MetadataRecord.PartitionsAdded added) {
                changed.add(added.logId());
            } else if (record instanceof MetadataRecord.ConfigChanged config
                    && config.scope() instanceof ConfigScope.Group(String groupId)) {
                updateGroupConfig(told, groupId, after.config(config.scope()));
            }
        }
        Optional<GroupMetadata.Step> step = topics.follow(after, changed);
        step.ifPresent(next -> told.service().onMetadataUpdate(next.delta(), next.image()));
    }

    @Override
    public void onReset(MetadataImage before, MetadataImage after) {
        if (parts != null) {
            GroupMetadata.Step next = topics.reset(after);
            CoordinatorParts told = parts;
            before.groupConfigs().forEach(group -> updateGroupConfig(told, group.groupId(), Map.of()));
            after.groupConfigs().forEach(group -> updateGroupConfig(told, group.groupId(), group.values()));
            told.service().onMetadataUpdate(next.delta(), next.image());
        }
    }

    /** Ends the coordinator in good order, before the partitions close. Waits for that; not to be called on a shard. */
    public void close() {
        end().ifPresent(CoordinatorParts::shutdown);
    }

    /** Ends the coordinator when the shards have stopped already. */
    public void abandon() {
        end().ifPresent(CoordinatorParts::abandon);
    }

    private Optional<CoordinatorParts> end() {
        closed = true;
        CompletableFuture<CoordinatorParts> built = running.getAndSet(
                CompletableFuture.failedFuture(new CoordinatorNotAvailableException("the broker is shutting down")));
        return built != null && built.isDone() && !built.isCompletedExceptionally()
                ? Optional.of(built.join())
                : Optional.empty();
    }
}
