package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListConfigResourcesRequest;
import org.apache.kafka.common.requests.ListConfigResourcesResponse;

/** Lists what has settings (KIP-1142). Version 0 asks for subscriptions of client metrics only. */
public final class ListConfigResourcesHandler implements KafkaHandler<ListConfigResourcesRequest> {

    private static final Set<ConfigResource.Type> LISTED = EnumSet.of(
            ConfigResource.Type.TOPIC,
            ConfigResource.Type.BROKER,
            ConfigResource.Type.BROKER_LOGGER,
            ConfigResource.Type.CLIENT_METRICS,
            ConfigResource.Type.GROUP);

    private final KafkaTopics topics;

    public ListConfigResourcesHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_CONFIG_RESOURCES;
    }

    @Override
    public void handle(ListConfigResourcesRequest request, KafkaExchange exchange) {
        ListConfigResourcesResponseData data = new ListConfigResourcesResponseData();
        for (ConfigResource.Type type : types(request.data(), exchange.version())) {
            if (!LISTED.contains(type)) {
                exchange.answer(new ListConfigResourcesResponse(
                        new ListConfigResourcesResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code())));
                return;
            }
            list(type, data.configResources());
        }
        exchange.answer(new ListConfigResourcesResponse(data));
    }

    private static Set<ConfigResource.Type> types(ListConfigResourcesRequestData asked, short version) {
        if (version == 0) {
            return EnumSet.of(ConfigResource.Type.CLIENT_METRICS);
        }
        if (asked.resourceTypes().isEmpty()) {
            return LISTED;
        }
        Set<ConfigResource.Type> types = EnumSet.noneOf(ConfigResource.Type.class);
        asked.resourceTypes().forEach(id -> types.add(ConfigResource.Type.forId(id)));
        return types;
    }

    private void list(ConfigResource.Type type, List<ListConfigResourcesResponseData.ConfigResource> found) {
        MetadataImage image = topics.image();
        switch (type) {
            case TOPIC -> image.logs().forEach(log -> found.add(resource(type, log.name())));
            case BROKER, BROKER_LOGGER ->
                image.brokers().forEach(broker -> found.add(resource(type, String.valueOf(broker.brokerId()))));
            case GROUP -> image.groupConfigs().forEach(group -> found.add(resource(type, group.groupId())));
            case CLIENT_METRICS -> image.clientMetrics().forEach(metrics -> found.add(resource(type, metrics.name())));
            case UNKNOWN -> {
                // There are none.
            }
        }
    }

    private static ListConfigResourcesResponseData.ConfigResource resource(ConfigResource.Type type, String name) {
        return new ListConfigResourcesResponseData.ConfigResource()
                .setResourceType(type.id())
                .setResourceName(name);
    }
}
