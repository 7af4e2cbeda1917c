package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Lets a member into a classic group, or into the next round of giving out partitions. Answered when all members are there. */
public final class JoinGroupHandler extends GroupHandler<JoinGroupRequest> {

    public JoinGroupHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public void handle(JoinGroupRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.joinGroup(client, request.data(), BufferSupplier.NO_CACHING),
                data -> new JoinGroupResponse(data, exchange.version()));
    }
}
