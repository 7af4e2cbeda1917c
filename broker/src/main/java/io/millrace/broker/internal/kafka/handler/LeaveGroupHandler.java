package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;

/** Members leave a group: by themselves, or put out by an administrator. */
public final class LeaveGroupHandler extends GroupHandler<LeaveGroupRequest> {

    public LeaveGroupHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LEAVE_GROUP;
    }

    @Override
    public void handle(LeaveGroupRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.leaveGroup(client, request.normalizedData()),
                data -> new LeaveGroupResponse(data, exchange.version()));
    }
}
