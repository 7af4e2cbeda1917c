package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ShareGroupDescribeRequest;
import org.apache.kafka.common.requests.ShareGroupDescribeResponse;

/** Says who is in share groups, and who has what. */
public final class ShareGroupDescribeHandler extends GroupHandler<ShareGroupDescribeRequest> {

    public ShareGroupDescribeHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SHARE_GROUP_DESCRIBE;
    }

    @Override
    public void handle(ShareGroupDescribeRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) ->
                        coordinator.shareGroupDescribe(client, request.data().groupIds()),
                groups -> {
                    if (request.data().includeAuthorizedOperations()) {
                        groups.forEach(group -> group.setAuthorizedOperations(GroupOperations.ALL));
                    }
                    return new ShareGroupDescribeResponse(new ShareGroupDescribeResponseData().setGroups(groups));
                });
    }
}
