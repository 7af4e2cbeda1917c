package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;

/** A member of a consumer group joins, reports, or leaves, and hears what its partitions are (KIP-848). */
public final class ConsumerGroupHeartbeatHandler extends GroupHandler<ConsumerGroupHeartbeatRequest> {

    public ConsumerGroupHeartbeatHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public void handle(ConsumerGroupHeartbeatRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.consumerGroupHeartbeat(client, request.data()),
                ConsumerGroupHeartbeatResponse::new);
    }
}
