package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsResponse;

/** Has a share group that has no members begin elsewhere (KIP-932). */
public final class AlterShareGroupOffsetsHandler extends GroupHandler<AlterShareGroupOffsetsRequest> {

    public AlterShareGroupOffsetsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_SHARE_GROUP_OFFSETS;
    }

    @Override
    public void handle(AlterShareGroupOffsetsRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator.alterShareGroupOffsets(
                        client, request.data().groupId(), request.data()),
                AlterShareGroupOffsetsResponse::new);
    }
}
