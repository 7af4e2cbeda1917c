package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateResponse;

/** Takes the description of a topology for whatever the broker was configured to keep them in. */
public final class StreamsGroupTopologyDescriptionUpdateHandler
        extends GroupHandler<StreamsGroupTopologyDescriptionUpdateRequest> {

    public StreamsGroupTopologyDescriptionUpdateHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE;
    }

    @Override
    public void handle(StreamsGroupTopologyDescriptionUpdateRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.streamsGroupTopologyDescriptionUpdate(client, request.data()),
                StreamsGroupTopologyDescriptionUpdateResponse::new);
    }
}
