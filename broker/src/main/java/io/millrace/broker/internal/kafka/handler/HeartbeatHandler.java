package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;

/** A member of a classic group is alive, and hears whether partitions are given out anew. */
public final class HeartbeatHandler extends GroupHandler<HeartbeatRequest> {

    public HeartbeatHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.HEARTBEAT;
    }

    @Override
    public void handle(HeartbeatRequest request, KafkaExchange exchange) {
        ask(exchange, (coordinator, client) -> coordinator.heartbeat(client, request.data()), HeartbeatResponse::new);
    }
}
