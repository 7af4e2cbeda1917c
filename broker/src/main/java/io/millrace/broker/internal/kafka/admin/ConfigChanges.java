package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.ClientMetricsKeys;
import io.millrace.coordinator.metadata.ConfigEdit;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.EditConfig;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.InvalidConfigException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/** Changes settings of topics, brokers, groups and loggers; of each resource all that is asked for, or nothing. From any thread. */
public final class ConfigChanges {

    /**
     * One change that somebody wants.
     *
     * @param value what to set, add or take out
     */
    public record Wish(
            String name,
            AlterConfigOp.OpType operation,
            @Nullable String value) {}

    private final ConfigResources resources;
    private final MetadataCommands commands;

    public ConfigChanges(ConfigResources resources, MetadataCommands commands) {
        this.resources = resources;
        this.commands = commands;
    }

    /**
     * Changes settings of a resource.
     *
     * @param replaceAll whether what is not named shall fall back to its default
     * @param validateOnly whether nothing shall change
     */
    public CompletionStage<ApiError> change(
            ConfigResource resource, List<Wish> wishes, boolean replaceAll, boolean validateOnly) {
        try {
            if (resource.type() == ConfigResource.Type.BROKER_LOGGER && !replaceAll) {
                return Answers.now(resources.loggers(resource.name()).change(wishes, validateOnly));
            }
            ConfigScope scope = resources.scope(resource.type(), resource.name());
            Map<String, ConfigEdit> edits = new HashMap<>();
            for (Wish wish : wishes) {
                if (edits.put(wish.name(), edit(scope, resource.type(), wish)) != null) {
                    throw new InvalidRequestException("Error due to duplicate config keys: " + wish.name());
                }
            }
            if (replaceAll) {
                resources
                        .image()
                        .config(scope)
                        .keySet()
                        .forEach(key -> edits.putIfAbsent(key, new ConfigEdit.Remove()));
            }
            return commands.submit(operation -> new EditConfig(operation, scope, edits), validateOnly)
                    .handle((result, failure) -> failure == null ? error(result) : Answers.error(failure));
        } catch (ApiException e) {
            return Answers.now(Answers.error(e));
        }
    }

    private ConfigEdit edit(ConfigScope scope, ConfigResource.Type type, Wish wish) {
        if (wish.operation() == AlterConfigOp.OpType.DELETE) {
            return new ConfigEdit.Remove();
        }
        String name = wish.name();
        String value = wish.value();
        if (value == null) {
            throw new InvalidRequestException("Null value not supported for : " + name);
        }
        ConfigKey<?> key = resources.key(scope, name).orElseThrow(() -> unknown(scope, type, name));
        if (!ConfigResources.isDynamic(scope, name)) {
            throw new InvalidRequestException("Cannot update " + name
                    + " dynamically: it is read from the configuration file when the broker starts.");
        }
        return switch (wish.operation()) {
            case SET -> new ConfigEdit.Set(checked(scope, key, value));
            case APPEND -> new ConfigEdit.Append(listOf(key, wish, value), otherwise(scope, key));
            case SUBTRACT -> new ConfigEdit.Subtract(listOf(key, wish, value), otherwise(scope, key));
            case DELETE -> new ConfigEdit.Remove();
        };
    }

    private static ApiException unknown(ConfigScope scope, ConfigResource.Type type, String name) {
        String problem = "Unknown " + type.name().toLowerCase(Locale.ROOT) + " config name: " + name;
        return scope instanceof ConfigScope.ClientMetrics
                ? new InvalidRequestException(problem)
                : new InvalidConfigurationException(problem);
    }

    /** Kafka refuses wrong values of brokers as wrong requests, those of all else as wrong settings. */
    private static String checked(ConfigScope scope, ConfigKey<?> key, String value) {
        try {
            key.parse(value);
            return value;
        } catch (InvalidConfigException e) {
            String problem = "Invalid value " + value + " for configuration " + key.name() + ": " + e.getMessage();
            boolean wrongRequest = scope instanceof ConfigScope.Broker
                    || scope instanceof ConfigScope.Cluster
                    || key.equals(ClientMetricsKeys.INTERVAL_MS);
            throw wrongRequest
                    ? new InvalidRequestException(problem, e)
                    : new InvalidConfigurationException(problem, e);
        }
    }

    private static List<String> listOf(ConfigKey<?> key, Wish wish, String value) {
        if (!key.type().name().equals("list")) {
            throw new InvalidConfigurationException(
                    "Can't " + wish.operation() + " to key " + wish.name() + " because its type is not LIST.");
        }
        return elements(value);
    }

    private static List<String> elements(String value) {
        return Arrays.stream(value.split(",", -1))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    private List<String> otherwise(ConfigScope scope, ConfigKey<?> key) {
        return resources.otherwise(scope, key).map(text -> elements(text)).orElse(List.of());
    }

    private static ApiError error(AlterConfigResult result) {
        return switch (result) {
            case AlterConfigResult.Altered() -> ApiError.NONE;
            case AlterConfigResult.NotFound() ->
                new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic was deleted meanwhile.");
            case AlterConfigResult.Invalid(String key, String problem) -> Answers.error(Errors.INVALID_CONFIG, problem);
            case AlterConfigResult.LimitReached(int most) ->
                new ApiError(
                        Errors.POLICY_VIOLATION,
                        "There are " + most + " of this kind with settings of their own, and not more can be kept.");
        };
    }

    /** Returns the operation that a request means. */
    public static AlterConfigOp.OpType operation(byte id) {
        return Optional.ofNullable(AlterConfigOp.OpType.forId(id))
                .orElseThrow(() -> new InvalidRequestException("Unknown operation " + id + " on a config"));
    }
}
