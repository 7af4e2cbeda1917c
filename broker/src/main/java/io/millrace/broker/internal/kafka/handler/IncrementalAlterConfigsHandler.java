package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ConfigChanges;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;

/** Sets, removes, and adds to or takes out of lists, single settings (KIP-339). */
public final class IncrementalAlterConfigsHandler implements KafkaHandler<IncrementalAlterConfigsRequest> {

    private final ConfigChanges changes;

    public IncrementalAlterConfigsHandler(ConfigChanges changes) {
        this.changes = changes;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public void handle(IncrementalAlterConfigsRequest request, KafkaExchange exchange) {
        List<CompletionStage<AlterConfigsResourceResponse>> results = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (AlterConfigsResource resource : request.data().resources()) {
            boolean first = seen.add(resource.resourceType() + " " + resource.resourceName());
            CompletionStage<ApiError> error = first
                    ? alter(resource, request.data().validateOnly())
                    : Answers.now(new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once."));
            results.add(error.thenApply(outcome -> new AlterConfigsResourceResponse()
                    .setResourceType(resource.resourceType())
                    .setResourceName(resource.resourceName())
                    .setErrorCode(outcome.error().code())
                    .setErrorMessage(outcome.message())));
        }
        Answers.whenAll(
                exchange,
                results,
                (List<AlterConfigsResourceResponse> all) -> new IncrementalAlterConfigsResponse(
                        new IncrementalAlterConfigsResponseData().setResponses(all)));
    }

    private CompletionStage<ApiError> alter(AlterConfigsResource resource, boolean validateOnly) {
        try {
            List<ConfigChanges.Wish> wishes = new ArrayList<>();
            resource.configs()
                    .forEach(config -> wishes.add(new ConfigChanges.Wish(
                            config.name(), ConfigChanges.operation(config.configOperation()), config.value())));
            return changes.change(
                    new ConfigResource(ConfigResource.Type.forId(resource.resourceType()), resource.resourceName()),
                    wishes,
                    false,
                    validateOnly);
        } catch (ApiException e) {
            return Answers.now(Answers.error(e));
        }
    }
}
