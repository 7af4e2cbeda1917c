package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import java.util.List;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Deletes groups that have no members, with their offsets. */
public final class DeleteGroupsHandler extends GroupHandler<DeleteGroupsRequest> {

    public DeleteGroupsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_GROUPS;
    }

    @Override
    public void handle(DeleteGroupsRequest request, KafkaExchange exchange) {
        List<String> ids = request.data().groupsNames().stream().distinct().toList();
        ask(
                exchange,
                (coordinator, client) -> coordinator.deleteGroups(client, ids, BufferSupplier.NO_CACHING),
                results -> new DeleteGroupsResponse(new DeleteGroupsResponseData().setResults(results)));
    }
}
