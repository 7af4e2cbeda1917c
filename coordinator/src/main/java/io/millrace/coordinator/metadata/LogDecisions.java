package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.AddPartitions;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitionsResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLog;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import io.millrace.coordinator.metadata.MetadataRecord.LogCreated;
import io.millrace.coordinator.metadata.MetadataRecord.LogDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionsAdded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Decides about logs. Pure, given its randomness: no state, no effects. */
final class LogDecisions {

    /** What Kafka allows as the name of a topic, and so of a directory. */
    private static final Pattern LOG_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final ControllerSettings settings;
    private final RandomGenerator random;

    LogDecisions(ControllerSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    Decision<CreateLogResult> create(CreateLog command, MetadataImage state) {
        Optional<LogInfo> existing = state.logNamed(command.name());
        if (existing.isPresent()) {
            return Decision.unchanged(
                    existing.get().kind() == command.kind()
                            ? new CreateLogResult.AlreadyExists(existing.get())
                            : new CreateLogResult.NameTaken(existing.get()));
        }
        int partitions = command.partitions().orElse(settings.defaultPartitions());
        Optional<String> problem = problem(command, partitions);
        if (problem.isPresent()) {
            return Decision.unchanged(new CreateLogResult.Invalid(problem.get()));
        }
        if (state.logCount() >= settings.maxLogs()) {
            return Decision.unchanged(new CreateLogResult.LimitReached(settings.maxLogs()));
        }
        if (state.brokerCount() == 0) {
            return Decision.unchanged(new CreateLogResult.NoBroker());
        }
        UUID logId = Ids.random(random);
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(command.operationId(), logId, 0));
        records.add(
                new LogCreated(logId, command.name(), command.kind(), command.origin(), partitions, command.config()));
        List<PartitionInfo> assigned = PartitionPlacement.spread(state, 0, partitions, settings.defaultReplicas());
        for (int partition = 0; partition < partitions; partition++) {
            records.add(new PartitionChanged(logId, partition, assigned.get(partition)));
        }
        return new Decision<>(
                records, after -> new CreateLogResult.Created(after.log(logId).orElseThrow()));
    }

    static CreateLogResult createAgain(OperationRecorded done, MetadataImage state) {
        return state.log(done.subject())
                .<CreateLogResult>map(CreateLogResult.Created::new)
                .orElseGet(() -> new CreateLogResult.DeletedSince(done.subject()));
    }

    static Decision<DeleteLogResult> delete(DeleteLog command, MetadataImage state) {
        if (state.log(command.logId()).isEmpty()) {
            return Decision.unchanged(new DeleteLogResult.NotFound());
        }
        return Decision.change(
                List.of(
                        new OperationRecorded(command.operationId(), command.logId(), 0),
                        new LogDeleted(command.logId())),
                new DeleteLogResult.Deleted());
    }

    Decision<AddPartitionsResult> addPartitions(AddPartitions command, MetadataImage state) {
        Optional<LogInfo> log = state.log(command.logId());
        if (log.isEmpty()) {
            return Decision.unchanged(new AddPartitionsResult.NotFound());
        }
        int present = log.get().partitions().size();
        int wanted = command.partitions();
        if (wanted <= present || wanted > settings.maxPartitions()) {
            return Decision.unchanged(new AddPartitionsResult.Invalid(
                    "log " + log.get().name() + " has " + present + " partitions and can get more, up to "
                            + settings.maxPartitions() + ", but not " + wanted));
        }
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(command.operationId(), command.logId(), 0));
        records.add(new PartitionsAdded(command.logId(), wanted));
        List<PartitionInfo> assigned =
                PartitionPlacement.spread(state, present, wanted - present, settings.defaultReplicas());
        for (int partition = present; partition < wanted; partition++) {
            records.add(new PartitionChanged(command.logId(), partition, assigned.get(partition - present)));
        }
        return new Decision<>(
                records,
                after ->
                        new AddPartitionsResult.Added(after.log(command.logId()).orElseThrow()));
    }

    static AddPartitionsResult addPartitionsAgain(AddPartitions command, MetadataImage state) {
        return state.log(command.logId())
                .<AddPartitionsResult>map(AddPartitionsResult.Added::new)
                .orElseGet(AddPartitionsResult.NotFound::new);
    }

    private Optional<String> problem(CreateLog command, int partitions) {
        String name = command.name();
        if (!LOG_NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            return Optional.of("log name \"" + name
                    + "\": 1 to 249 of a-z, A-Z, 0-9, '.', '_' and '-' are allowed, except \".\" and \"..\"");
        }
        if (partitions < 1 || partitions > settings.maxPartitions()) {
            return Optional.of("log " + name + " with " + partitions + " partitions: 1 to " + settings.maxPartitions()
                    + " are allowed");
        }
        for (Map.Entry<String, String> entry : new TreeMap<>(command.config()).entrySet()) {
            Optional<String> problem =
                    settings.configs().problem(new ConfigScope.Log(Ids.NONE), entry.getKey(), entry.getValue());
            if (problem.isPresent()) {
                return Optional.of(entry.getKey() + ": " + problem.get());
            }
        }
        return settings.configs().contradiction(new ConfigScope.Log(Ids.NONE), command.config());
    }
}
