package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ConfigChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;

/** Replaces all settings of a resource by those given, as old clients do it; what is not given falls back to its default. */
public final class AlterConfigsHandler implements KafkaHandler<AlterConfigsRequest> {

    private final ConfigChanges changes;

    public AlterConfigsHandler(ConfigChanges changes) {
        this.changes = changes;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public void handle(AlterConfigsRequest request, KafkaExchange exchange) {
        List<CompletionStage<AlterConfigsResourceResponse>> results = new ArrayList<>();
        for (AlterConfigsResource resource : request.data().resources()) {
            List<ConfigChanges.Wish> wishes = new ArrayList<>();
            resource.configs()
                    .forEach(config -> wishes.add(
                            new ConfigChanges.Wish(config.name(), AlterConfigOp.OpType.SET, config.value())));
            results.add(changes.change(
                            new ConfigResource(
                                    ConfigResource.Type.forId(resource.resourceType()), resource.resourceName()),
                            wishes,
                            true,
                            request.data().validateOnly())
                    .thenApply(error -> new AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message())));
        }
        Answers.whenAll(
                exchange,
                results,
                (List<AlterConfigsResourceResponse> all) ->
                        new AlterConfigsResponse(new AlterConfigsResponseData().setResponses(all)));
    }
}
