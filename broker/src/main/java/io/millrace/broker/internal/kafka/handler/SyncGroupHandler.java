package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Gives a member of a classic group its partitions, once the leader of the group has sent what everybody gets. */
public final class SyncGroupHandler extends GroupHandler<SyncGroupRequest> {

    public SyncGroupHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public void handle(SyncGroupRequest request, KafkaExchange exchange) {
        if (!request.areMandatoryProtocolTypeAndNamePresent()) {
            throw new InconsistentGroupProtocolException(
                    "the request names neither the type nor the name of a protocol");
        }
        ask(
                exchange,
                (coordinator, client) -> coordinator.syncGroup(client, request.data(), BufferSupplier.NO_CACHING),
                SyncGroupResponse::new);
    }
}
