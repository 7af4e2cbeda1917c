package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ConfigResources;
import io.millrace.broker.internal.kafka.admin.DescribedConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;

/** Tells the settings of topics, brokers and groups: value, where it comes from, type, documentation. */
public final class DescribeConfigsHandler implements KafkaHandler<DescribeConfigsRequest> {

    private final ConfigResources resources;

    public DescribeConfigsHandler(ConfigResources resources) {
        this.resources = resources;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CONFIGS;
    }

    @Override
    public void handle(DescribeConfigsRequest request, KafkaExchange exchange) {
        DescribeConfigsResponseData data = new DescribeConfigsResponseData();
        for (DescribeConfigsResource resource : request.data().resources()) {
            data.results()
                    .add(describe(
                            resource,
                            request.data().includeSynonyms(),
                            request.data().includeDocumentation() && exchange.version() >= 3));
        }
        exchange.answer(new DescribeConfigsResponse(data));
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, boolean synonyms, boolean documentation) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName())
                .setErrorCode(Errors.NONE.code())
                .setErrorMessage("");
        try {
            List<DescribedConfig> configs =
                    resources.describe(ConfigResource.Type.forId(resource.resourceType()), resource.resourceName());
            Set<String> wanted =
                    resource.configurationKeys() == null ? Set.of() : new HashSet<>(resource.configurationKeys());
            for (DescribedConfig config : configs) {
                if (wanted.isEmpty() || wanted.contains(config.name())) {
                    result.configs().add(entry(config, synonyms, documentation));
                }
            }
            return result;
        } catch (ApiException e) {
            return result.setErrorCode(Errors.forException(e).code())
                    .setErrorMessage(Answers.error(e).message());
        }
    }

    private static DescribeConfigsResourceResult entry(
            DescribedConfig config, boolean synonyms, boolean documentation) {
        DescribeConfigsResourceResult entry = new DescribeConfigsResourceResult()
                .setName(config.name())
                .setValue(config.value())
                .setReadOnly(config.readOnly())
                .setConfigSource(config.source().id())
                .setIsSensitive(config.sensitive())
                .setConfigType(config.type().id());
        if (synonyms) {
            config.synonyms()
                    .forEach(synonym -> entry.synonyms()
                            .add(new DescribeConfigsSynonym()
                                    .setName(synonym.name())
                                    .setValue(synonym.value())
                                    .setSource(synonym.source().id())));
        }
        return documentation ? entry.setDocumentation(config.documentation()) : entry;
    }
}
