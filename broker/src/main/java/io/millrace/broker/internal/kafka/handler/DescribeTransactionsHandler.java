package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;

/** Describes transactions (KIP-664): there are none to be found, as long as clients cannot begin any. */
public final class DescribeTransactionsHandler implements KafkaHandler<DescribeTransactionsRequest> {

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_TRANSACTIONS;
    }

    @Override
    public void handle(DescribeTransactionsRequest request, KafkaExchange exchange) {
        DescribeTransactionsResponseData data = new DescribeTransactionsResponseData();
        for (String id : request.data().transactionalIds()) {
            Errors error = id.isEmpty() ? Errors.INVALID_REQUEST : Errors.TRANSACTIONAL_ID_NOT_FOUND;
            data.transactionStates()
                    .add(new TransactionState().setTransactionalId(id).setErrorCode(error.code()));
        }
        exchange.answer(new DescribeTransactionsResponse(data));
    }
}
