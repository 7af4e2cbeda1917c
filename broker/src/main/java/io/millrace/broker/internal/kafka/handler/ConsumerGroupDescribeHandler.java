package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.ConsumerGroupDescribeResponse;

/** Says who is in consumer groups, who has what, and who is to have what. */
public final class ConsumerGroupDescribeHandler extends GroupHandler<ConsumerGroupDescribeRequest> {

    public ConsumerGroupDescribeHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public void handle(ConsumerGroupDescribeRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) ->
                        coordinator.consumerGroupDescribe(client, request.data().groupIds()),
                groups -> {
                    if (request.data().includeAuthorizedOperations()) {
                        groups.forEach(group -> group.setAuthorizedOperations(GroupOperations.ALL));
                    }
                    return new ConsumerGroupDescribeResponse(new ConsumerGroupDescribeResponseData().setGroups(groups));
                });
    }
}
