package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.common.requests.StreamsGroupDescribeResponse;

/** Says who is in Streams groups, what their topology is, and who has which tasks. */
public final class StreamsGroupDescribeHandler extends GroupHandler<StreamsGroupDescribeRequest> {

    public StreamsGroupDescribeHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_DESCRIBE;
    }

    @Override
    public void handle(StreamsGroupDescribeRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.streamsGroupDescribe(
                        client, request.data().groupIds(), request.data().includeTopologyDescription()),
                groups -> {
                    if (request.data().includeAuthorizedOperations()) {
                        groups.forEach(group -> group.setAuthorizedOperations(GroupOperations.ALL));
                    }
                    return new StreamsGroupDescribeResponse(new StreamsGroupDescribeResponseData().setGroups(groups));
                });
    }
}
