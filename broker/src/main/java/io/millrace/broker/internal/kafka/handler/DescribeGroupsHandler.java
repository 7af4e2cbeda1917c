package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;

/** Says who is in classic groups, and who has what. */
public final class DescribeGroupsHandler extends GroupHandler<DescribeGroupsRequest> {

    public DescribeGroupsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_GROUPS;
    }

    @Override
    public void handle(DescribeGroupsRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) ->
                        coordinator.describeGroups(client, request.data().groups()),
                groups -> {
                    if (request.data().includeAuthorizedOperations()) {
                        groups.forEach(group -> group.setAuthorizedOperations(GroupOperations.ALL));
                    }
                    return new DescribeGroupsResponse(new DescribeGroupsResponseData().setGroups(groups));
                });
    }
}
