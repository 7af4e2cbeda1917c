package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsResponse;

/** Says how far share groups have consumed (KIP-932). */
public final class DescribeShareGroupOffsetsHandler extends GroupHandler<DescribeShareGroupOffsetsRequest> {

    public DescribeShareGroupOffsetsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS;
    }

    @Override
    public void handle(DescribeShareGroupOffsetsRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> Stages.all(request.groups().stream()
                        .map(group -> group.topics() == null
                                ? coordinator.describeShareGroupAllOffsets(client, group)
                                : coordinator.describeShareGroupOffsets(client, group))
                        .toList()),
                groups -> new DescribeShareGroupOffsetsResponse(
                        new DescribeShareGroupOffsetsResponseData().setGroups(groups)));
    }
}
