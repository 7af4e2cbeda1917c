package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.ClusterFeatures;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.feature.Features;
import org.apache.kafka.common.feature.SupportedVersionRange;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;

/** Says which requests, in which versions, are answered here (KIP-35, KIP-511). */
public final class ApiVersionsHandler implements KafkaHandler<ApiVersionsRequest> {

    /** Clients of older versions take a feature whose lowest level is 0 for a fault. */
    private static final short VERSION_WITH_LEVEL_0 = 4;

    private final Supplier<Set<ApiKeys>> offered;
    private final KafkaTopics topics;

    /** @param offered the kinds that have a handler */
    public ApiVersionsHandler(Supplier<Set<ApiKeys>> offered, KafkaTopics topics) {
        this.offered = offered;
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public void handle(ApiVersionsRequest request, KafkaExchange exchange) {
        if (request.hasUnsupportedRequestVersion() || !request.isValid()) {
            exchange.answer(request.getErrorResponse(
                    0,
                    request.hasUnsupportedRequestVersion()
                            ? Errors.UNSUPPORTED_VERSION.exception()
                            : Errors.INVALID_REQUEST.exception()));
            return;
        }
        MetadataImage image = topics.image();
        exchange.answer(new ApiVersionsResponse.Builder()
                .setError(Errors.NONE)
                .setApiVersions(versions())
                .setSupportedFeatures(Features.supportedFeatures(supported()))
                .setFinalizedFeatures(ClusterFeatures.finalized(image))
                .setFinalizedFeaturesEpoch(image.end().endOffset())
                .setAlterFeatureLevel0(exchange.version() < VERSION_WITH_LEVEL_0)
                .build());
    }

    private static Map<String, SupportedVersionRange> supported() {
        Map<String, SupportedVersionRange> ranges = new HashMap<>();
        ClusterFeatures.all()
                .forEach(
                        feature -> ranges.put(feature.name(), new SupportedVersionRange(feature.min(), feature.max())));
        return ranges;
    }

    /** Old clients of librdkafka take a lowest version of Produce above 0 for a broker without compression, so Kafka tells 0. */
    private static ApiVersion asTold(ApiVersion version) {
        return version.apiKey() == ApiKeys.PRODUCE.id
                ? version.setMinVersion(ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION)
                : version;
    }

    private ApiVersionCollection versions() {
        ApiVersionCollection versions = new ApiVersionCollection();
        for (ApiKeys key : offered.get()) {
            key.toApiVersion(false).map(ApiVersionsHandler::asTold).ifPresent(versions::add);
        }
        return versions;
    }
}
