package io.millrace.broker.internal.destination;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.wire.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A topic in which the broker keeps what its coordinators decide: created when it is first needed, compacted. From any thread. */
public final class InternalTopic {

    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final String name;
    private final int partitionsAtCreation;
    private final int segmentBytes;
    private final Supplier<UUID> operationIds;

    /**
     * Creates the view of it; the topic itself is created by {@link #orCreate}.
     *
     * @param partitionsAtCreation how many it gets
     * @param segmentBytes size of its files
     */
    public InternalTopic(
            ClusterMetadata metadata,
            Partitions partitions,
            String name,
            int partitionsAtCreation,
            int segmentBytes,
            Supplier<UUID> operationIds) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.name = name;
        this.partitionsAtCreation = partitionsAtCreation;
        this.segmentBytes = segmentBytes;
        this.operationIds = operationIds;
    }

    /** Returns its log, if it was created. */
    public Optional<LogInfo> log() {
        return metadata.image().logNamed(name);
    }

    /** Returns how many partitions it has, or will have. */
    public int partitionCount() {
        return log().map(log -> log.partitions().size()).orElse(partitionsAtCreation);
    }

    /**
     * Returns the topic, after creating it if there is none.
     *
     * @return its log, when all of its partitions are open or found damaged; fails with {@link RequestFailedException}
     */
    public CompletionStage<LogInfo> orCreate() {
        Optional<LogInfo> known = log();
        if (known.isPresent()) {
            return whenOpened(known.get());
        }
        MetadataCommand.CreateLog command = new MetadataCommand.CreateLog(
                operationIds.get(),
                name,
                LogKind.TOPIC,
                LogOrigin.KAFKA,
                Optional.of(partitionsAtCreation),
                ownConfig());
        return metadata.controller().submit(command).thenCompose(result -> whenOpened(created(result)));
    }

    /** Compacted; retention by age or size is off: what was decided last counts, however old it is. */
    private Map<String, String> ownConfig() {
        Map<String, String> own = new LinkedHashMap<>();
        own.put("segment.bytes", String.valueOf(segmentBytes));
        own.put("retention.ms", "-1");
        own.put("retention.bytes", "-1");
        own.put("cleanup.policy", "compact");
        own.put("compression.type", "producer");
        // What is said of a group of many members, or of a transaction with many partitions, is one record.
        own.put("max.message.bytes", String.valueOf(MAX_MESSAGE_BYTES));
        own.keySet().removeIf(key -> BrokerConfig.destinationKeys().find(key).isEmpty());
        return own;
    }

    private LogInfo created(CreateLogResult result) {
        return switch (result) {
            case CreateLogResult.Created(LogInfo log) -> log;
            case CreateLogResult.AlreadyExists(LogInfo log) -> log;
            case CreateLogResult.NameTaken(LogInfo log) -> throw cannot(log.name() + " is a queue");
            case CreateLogResult.Invalid(String problem) -> throw cannot(problem);
            case CreateLogResult.LimitReached(int maxLogs) ->
                throw cannot("there are " + maxLogs + " queues and topics, which is max.destinations");
            case CreateLogResult.NoBroker() -> throw cannot("no broker is registered");
            case CreateLogResult.DeletedSince(UUID logId) -> throw cannot("it was deleted again");
        };
    }

    private RequestFailedException cannot(String why) {
        return new RequestFailedException(
                ErrorCode.NOT_LEADER, "the broker's own topic " + name + " cannot be created: " + why);
    }

    /** Completes when all partitions are open or found damaged. */
    public CompletionStage<LogInfo> whenOpened(LogInfo log) {
        return partitions.whenOpened(log.logId(), log.partitions().size()).thenApply(opened -> log);
    }

    /** Returns where a partition is found. */
    public Partitions.Lookup find(int partition) {
        return log().<Partitions.Lookup>map(log -> partitions.find(log.logId(), partition))
                .orElseGet(Partitions.Lookup.NotHere::new);
    }
}
