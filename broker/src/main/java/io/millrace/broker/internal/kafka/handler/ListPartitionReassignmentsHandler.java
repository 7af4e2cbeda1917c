package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListPartitionReassignmentsRequest;
import org.apache.kafka.common.requests.ListPartitionReassignmentsResponse;

/** Says which partitions are on their way to other brokers: none, since {@link AlterPartitionReassignmentsHandler} begins none. */
public final class ListPartitionReassignmentsHandler implements KafkaHandler<ListPartitionReassignmentsRequest> {

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_PARTITION_REASSIGNMENTS;
    }

    @Override
    public void handle(ListPartitionReassignmentsRequest request, KafkaExchange exchange) {
        exchange.answer(new ListPartitionReassignmentsResponse(
                new ListPartitionReassignmentsResponseData().setErrorMessage(null)));
    }
}
