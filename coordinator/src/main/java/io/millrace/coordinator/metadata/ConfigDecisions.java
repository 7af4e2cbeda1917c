package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.AlterConfig;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeatures;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeaturesResult;
import io.millrace.coordinator.metadata.MetadataCommand.EditConfig;
import io.millrace.coordinator.metadata.MetadataRecord.ConfigChanged;
import io.millrace.coordinator.metadata.MetadataRecord.FeatureChanged;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Decides about configuration and features. Pure: no state, no effects. */
final class ConfigDecisions {

    private final ConfigValidator validator;
    private final AccessLimits limits;

    ConfigDecisions(ConfigValidator validator, AccessLimits limits) {
        this.validator = validator;
        this.limits = limits;
    }

    Decision<AlterConfigResult> alter(AlterConfig command, MetadataImage state) {
        return change(command.operationId(), command.scope(), command.changes(), state);
    }

    Decision<AlterConfigResult> edit(EditConfig command, MetadataImage state) {
        Map<String, String> present = state.config(command.scope());
        Map<String, Optional<String>> changes = new TreeMap<>();
        command.edits().forEach((key, edit) -> {
            Optional<String> before = Optional.ofNullable(present.get(key));
            Optional<String> after = edited(before, edit);
            // What a broker has is told anew even if it is the same: the file that it names may have changed.
            if (!after.equals(before) || command.scope() instanceof ConfigScope.Broker) {
                changes.put(key, after);
            }
        });
        return change(command.operationId(), command.scope(), changes, state);
    }

    private static Optional<String> edited(Optional<String> before, ConfigEdit edit) {
        return switch (edit) {
            case ConfigEdit.Set(String value) -> Optional.of(value);
            case ConfigEdit.Remove() -> Optional.empty();
            case ConfigEdit.Append(List<String> elements, List<String> otherwise) -> {
                List<String> list = elements(before, otherwise);
                elements.stream().filter(element -> !list.contains(element)).forEach(list::add);
                yield Optional.of(String.join(",", list));
            }
            case ConfigEdit.Subtract(List<String> elements, List<String> otherwise) -> {
                List<String> list = elements(before, otherwise);
                list.removeAll(elements);
                yield Optional.of(String.join(",", list));
            }
        };
    }

    private static List<String> elements(Optional<String> before, List<String> otherwise) {
        List<String> list = new ArrayList<>();
        for (String element : before.map(text -> List.of(text.split(",", -1))).orElse(otherwise)) {
            if (!element.isBlank()) {
                list.add(element.strip());
            }
        }
        return list;
    }

    private Decision<AlterConfigResult> change(
            UUID operationId, ConfigScope scope, Map<String, Optional<String>> changes, MetadataImage state) {
        if (!exists(scope, state)) {
            return Decision.unchanged(new AlterConfigResult.NotFound());
        }
        if (scope instanceof ConfigScope.Group
                && state.config(scope).isEmpty()
                && state.groupConfigCount() >= limits.maxGroupConfigs()) {
            return Decision.unchanged(new AlterConfigResult.LimitReached(limits.maxGroupConfigs()));
        }
        if (scope instanceof ConfigScope.ClientMetrics
                && state.config(scope).isEmpty()
                && state.clientMetricsCount() >= limits.maxGroupConfigs()) {
            return Decision.unchanged(new AlterConfigResult.LimitReached(limits.maxGroupConfigs()));
        }
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(operationId, subject(scope), 0));
        for (Map.Entry<String, Optional<String>> change : new TreeMap<>(changes).entrySet()) {
            String key = change.getKey();
            Optional<String> problem = change.getValue().flatMap(value -> validator.problem(scope, key, value));
            if (problem.isPresent()) {
                return Decision.unchanged(new AlterConfigResult.Invalid(key, problem.get()));
            }
            records.add(new ConfigChanged(scope, key, change.getValue()));
        }
        Optional<String> contradiction = validator.contradiction(scope, after(state.config(scope), changes));
        if (contradiction.isPresent()) {
            return Decision.unchanged(new AlterConfigResult.Invalid(
                    String.join(", ", new TreeSet<>(changes.keySet())), contradiction.get()));
        }
        return Decision.change(records, new AlterConfigResult.Altered());
    }

    private static Map<String, String> after(Map<String, String> before, Map<String, Optional<String>> changes) {
        Map<String, String> after = new HashMap<>(before);
        changes.forEach((key, value) -> value.ifPresentOrElse(text -> after.put(key, text), () -> after.remove(key)));
        return after;
    }

    static Decision<AlterFeaturesResult> alterFeatures(AlterFeatures command, MetadataImage state) {
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(command.operationId(), Ids.NONE, 0));
        new TreeMap<>(command.levels()).forEach((feature, level) -> {
            if (!level.equals(state.features().get(feature))) {
                records.add(new FeatureChanged(feature, level));
            }
        });
        return Decision.change(records, new AlterFeaturesResult.Altered());
    }

    private static boolean exists(ConfigScope scope, MetadataImage state) {
        return switch (scope) {
            case ConfigScope.Cluster() -> true;
            case ConfigScope.Broker(int brokerId) -> state.broker(brokerId).isPresent();
            case ConfigScope.Log(UUID logId) -> state.log(logId).isPresent();
            case ConfigScope.Group group -> true;
            case ConfigScope.ClientMetrics metrics -> true;
        };
    }

    private static UUID subject(ConfigScope scope) {
        return scope instanceof ConfigScope.Log(UUID logId) ? logId : Ids.NONE;
    }
}
