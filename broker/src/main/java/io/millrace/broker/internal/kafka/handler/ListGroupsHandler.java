package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;

/** Lists the groups, of all protocols or some, in all states or some. */
public final class ListGroupsHandler extends GroupHandler<ListGroupsRequest> {

    public ListGroupsHandler(GroupCoordination groups) {
        super(groups);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_GROUPS;
    }

    @Override
    public void handle(ListGroupsRequest request, KafkaExchange exchange) {
        ask(exchange, (coordinator, client) -> coordinator.listGroups(client, request.data()), ListGroupsResponse::new);
    }
}
