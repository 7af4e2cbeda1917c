package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsResponse;

/** Has a share group that has no members forget how far it has consumed topics (KIP-932). */
public final class DeleteShareGroupOffsetsHandler extends GroupHandler<DeleteShareGroupOffsetsRequest> {

    public DeleteShareGroupOffsetsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_SHARE_GROUP_OFFSETS;
    }

    @Override
    public void handle(DeleteShareGroupOffsetsRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.deleteShareGroupOffsets(client, request.data()),
                DeleteShareGroupOffsetsResponse::new);
    }
}
