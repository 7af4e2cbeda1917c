package io.millrace.broker.internal.destination;

import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitionsResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.DestinationName;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The queues and topics by name: finds, creates and deletes them. May be used from any thread.
 *
 * <p>What is created is answered when its partitions can be used here.
 */
public final class Destinations {

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final Supplier<UUID> operationIds;
    private final boolean autoCreate;
    private final boolean mayDelete;

    /**
     * Creates the service.
     *
     * @param operationIds makes ids of commands
     * @param autoCreate whether a first use creates
     * @param mayDelete whether clients may delete
     */
    public Destinations(
            ClusterMetadata metadata,
            Partitions partitions,
            Supplier<UUID> operationIds,
            boolean autoCreate,
            boolean mayDelete) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.operationIds = operationIds;
        this.autoCreate = autoCreate;
        this.mayDelete = mayDelete;
    }

    /** Returns the metadata that all answers are made from. */
    public MetadataImage image() {
        return metadata.image();
    }

    /**
     * Finds a destination, or creates it if it is wanted.
     *
     * @param kind what it must be, or empty for either
     * @param create whether to create it if there is none; a kind is needed then
     * @return the log; fails with {@link RequestFailedException}
     */
    public CompletionStage<LogInfo> describe(Optional<DestinationKind> kind, String name, boolean create) {
        String logName = DestinationName.of(name).logName();
        Optional<LogInfo> known = image().logNamed(logName);
        if (known.isPresent()) {
            LogInfo log = known.get();
            kind.ifPresent(wanted -> requireKind(log, wanted));
            return whenUsable(log);
        }
        if (!create || !autoCreate || kind.isEmpty()) {
            throw new RequestFailedException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    "there is no " + kind.map(DestinationKind::word).orElse("queue or topic") + " " + name
                            + (create && !autoCreate ? ", and auto.create.topics.enable is false" : ""));
        }
        return create(kind.get(), name, Optional.empty(), Map.of(), false);
    }

    /**
     * Creates a destination.
     *
     * @param partitionCount how many partitions, or empty for the broker's default
     * @param config what it sets for itself
     * @param mustBeNew whether one that exists already is an error
     * @return the log; fails with {@link RequestFailedException}
     */
    public CompletionStage<LogInfo> create(
            DestinationKind kind,
            String name,
            Optional<Integer> partitionCount,
            Map<String, String> config,
            boolean mustBeNew) {
        String logName = DestinationName.of(name).logName();
        return metadata.controller()
                .submit(new MetadataCommand.CreateLog(
                        operationIds.get(), logName, logKind(kind), LogOrigin.JMS, partitionCount, config))
                .thenCompose(result -> whenUsable(created(result, kind, name, mustBeNew)));
    }

    private static LogInfo created(CreateLogResult result, DestinationKind kind, String name, boolean mustBeNew) {
        return switch (result) {
            case CreateLogResult.Created(LogInfo log) -> log;
            case CreateLogResult.AlreadyExists(LogInfo log) -> {
                if (mustBeNew) {
                    throw new RequestFailedException(
                            ErrorCode.DESTINATION_EXISTS, "the " + kind.word() + " " + name + " exists already");
                }
                yield log;
            }
            case CreateLogResult.NameTaken(LogInfo existing) -> throw wrongKind(existing, kind);
            case CreateLogResult.Invalid(String problem) ->
                throw new RequestFailedException(ErrorCode.INVALID_CONFIG, problem);
            case CreateLogResult.LimitReached(int maxLogs) ->
                throw new RequestFailedException(
                        ErrorCode.LIMIT_EXCEEDED,
                        "there are " + maxLogs + " queues and topics, which is max.destinations");
            case CreateLogResult.NoBroker() ->
                throw new RequestFailedException(
                        ErrorCode.NOT_LEADER, "no broker is registered that could have the " + kind.word());
            case CreateLogResult.DeletedSince(UUID logId) ->
                throw new RequestFailedException(
                        ErrorCode.DESTINATION_NOT_FOUND, "the " + kind.word() + " " + name + " was deleted again");
        };
    }

    /**
     * Changes what a destination sets for itself, and gives it more partitions. It goes by that from then on.
     *
     * @param partitionCount how many partitions it shall have, not fewer than now; empty for as many as it has
     * @param changes new values by key, empty for the broker's value
     * @return the log as it is then, when its partitions can be used; fails with {@link RequestFailedException}, and then nothing was changed
     */
    public CompletionStage<LogInfo> alter(
            DestinationKind kind,
            String name,
            Optional<Integer> partitionCount,
            Map<String, Optional<String>> changes) {
        LogInfo log = existing(kind, name);
        int present = log.partitions().size();
        int wanted = partitionCount.orElse(present);
        if (wanted < present) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST,
                    "the " + kind.word() + " " + name + " has " + present
                            + " partitions, and can get more of them, not fewer: " + wanted
                            + " would not hold what is in the others. Create a new " + kind.word()
                            + " with as many as you need");
        }
        if (wanted == present) {
            return configure(log, changes);
        }
        MetadataCommand<AlterConfigResult> config = alterConfig(log, changes);
        // Partitions cannot be taken away again: the settings are checked first.
        return metadata.controller()
                .submit(new MetadataCommand.DryRun<>(config))
                .thenApply(result -> altered(result, log))
                .thenCompose(checked -> metadata.controller()
                        .submit(new MetadataCommand.AddPartitions(operationIds.get(), log.logId(), wanted)))
                .thenCompose(result -> configure(added(result, log), changes))
                .thenCompose(this::whenUsable);
    }

    private static LogInfo added(AddPartitionsResult result, LogInfo log) {
        return switch (result) {
            case AddPartitionsResult.Added(LogInfo grown) -> grown;
            case AddPartitionsResult.NotFound() ->
                throw new RequestFailedException(
                        ErrorCode.DESTINATION_NOT_FOUND, log.name() + " was deleted meanwhile");
            case AddPartitionsResult.Invalid(String problem) ->
                throw new RequestFailedException(ErrorCode.INVALID_REQUEST, problem);
        };
    }

    private CompletionStage<LogInfo> configure(LogInfo log, Map<String, Optional<String>> changes) {
        return changes.isEmpty()
                ? CompletableFuture.completedFuture(log)
                : metadata.controller().submit(alterConfig(log, changes)).thenApply(result -> altered(result, log));
    }

    private MetadataCommand<AlterConfigResult> alterConfig(LogInfo log, Map<String, Optional<String>> changes) {
        return new MetadataCommand.AlterConfig(operationIds.get(), new ConfigScope.Log(log.logId()), changes);
    }

    private LogInfo altered(AlterConfigResult result, LogInfo log) {
        return switch (result) {
            case AlterConfigResult.Altered() -> image().log(log.logId()).orElse(log);
            case AlterConfigResult.NotFound() ->
                throw new RequestFailedException(
                        ErrorCode.DESTINATION_NOT_FOUND, log.name() + " was deleted meanwhile");
            case AlterConfigResult.Invalid(String key, String problem) ->
                throw new RequestFailedException(ErrorCode.INVALID_CONFIG, problem);
            case AlterConfigResult.LimitReached(int maxGroups) ->
                throw new RequestFailedException(
                        ErrorCode.LIMIT_EXCEEDED, "as many as " + maxGroups + " groups have settings of their own");
        };
    }

    /**
     * Returns a destination that must exist.
     *
     * @throws RequestFailedException if it does not, or is of the other kind
     */
    LogInfo existing(DestinationKind kind, String name) {
        LogInfo log = image().logNamed(DestinationName.of(name).logName())
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.DESTINATION_NOT_FOUND, "there is no " + kind.word() + " " + name));
        requireKind(log, kind);
        return log;
    }

    /**
     * Deletes a destination with all that it holds.
     *
     * @return completes when it is gone; fails with {@link RequestFailedException}
     */
    public CompletionStage<Void> delete(DestinationKind kind, String name) {
        if (!mayDelete) {
            throw new RequestFailedException(
                    ErrorCode.NOT_AUTHORIZED, "deleting is switched off here: delete.topic.enable is false");
        }
        LogInfo log = existing(kind, name);
        return metadata.controller()
                .submit(new MetadataCommand.DeleteLog(operationIds.get(), log.logId()))
                .thenAccept(result -> {
                    if (result instanceof DeleteLogResult.NotFound) {
                        throw new RequestFailedException(
                                ErrorCode.DESTINATION_NOT_FOUND, "there is no " + kind.word() + " " + name);
                    }
                });
    }

    private CompletionStage<LogInfo> whenUsable(LogInfo log) {
        return partitions
                .whenOpened(log.logId(), log.partitions().size())
                .thenApply(opened -> image().log(log.logId()).orElse(log));
    }

    private static void requireKind(LogInfo log, DestinationKind wanted) {
        if (log.kind() != logKind(wanted)) {
            throw wrongKind(log, wanted);
        }
    }

    private static RequestFailedException wrongKind(LogInfo log, DestinationKind wanted) {
        return new RequestFailedException(
                ErrorCode.WRONG_DESTINATION_KIND,
                DestinationName.fromLogName(log.name()).jmsName() + " is a "
                        + kindOf(log).word() + ", not a " + wanted.word());
    }

    /** Returns what a log is to JMS. */
    public static DestinationKind kindOf(LogInfo log) {
        return switch (log.kind()) {
            case QUEUE -> DestinationKind.QUEUE;
            case TOPIC -> DestinationKind.TOPIC;
        };
    }

    private static LogKind logKind(DestinationKind kind) {
        return switch (kind) {
            case QUEUE -> LogKind.QUEUE;
            case TOPIC -> LogKind.TOPIC;
        };
    }
}
