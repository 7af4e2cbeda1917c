package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ShareGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ShareGroupHeartbeatResponse;

/** A member of a share group joins, reports, or leaves, and hears what its partitions are (KIP-932). */
public final class ShareGroupHeartbeatHandler extends GroupHandler<ShareGroupHeartbeatRequest> {

    public ShareGroupHeartbeatHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SHARE_GROUP_HEARTBEAT;
    }

    @Override
    public void handle(ShareGroupHeartbeatRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.shareGroupHeartbeat(client, request.data()),
                ShareGroupHeartbeatResponse::new);
    }
}
