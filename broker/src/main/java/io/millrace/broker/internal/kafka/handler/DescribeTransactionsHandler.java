package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.transaction.TransactionNames;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.TransactionRecord;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;

/** Describes transactions of producers (KIP-664). */
public final class DescribeTransactionsHandler implements KafkaHandler<DescribeTransactionsRequest> {

    private final TransactionCoordination transactions;

    public DescribeTransactionsHandler(TransactionCoordination transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_TRANSACTIONS;
    }

    @Override
    public void handle(DescribeTransactionsRequest request, KafkaExchange exchange) {
        List<CompletionStage<TransactionState>> states =
                request.data().transactionalIds().stream().map(this::describe).toList();
        Answers.whenAll(
                exchange,
                states,
                (List<TransactionState> all) -> new DescribeTransactionsResponse(
                        new DescribeTransactionsResponseData().setTransactionStates(all)));
    }

    private CompletionStage<TransactionState> describe(String id) {
        if (id.isEmpty()) {
            return Answers.now(failed(id, Errors.INVALID_REQUEST));
        }
        return transactions
                .call(id, at -> CompletableFuture.completedStage(at.find(id).filter(TransactionNames::isOfProducer)))
                .handle((found, failure) -> failure == null
                        ? found.map(DescribeTransactionsHandler::describe)
                                .orElseGet(() -> failed(id, Errors.TRANSACTIONAL_ID_NOT_FOUND))
                        : failed(id, KafkaErrors.of(failure)));
    }

    private static TransactionState failed(String id, Errors error) {
        return new TransactionState().setTransactionalId(id).setErrorCode(error.code());
    }

    private static TransactionState describe(TransactionRecord transaction) {
        TransactionState state = new TransactionState()
                .setTransactionalId(transaction.id())
                .setTransactionState(TransactionNames.of(transaction.state()))
                .setTransactionTimeoutMs(transaction.origin().timeoutMs())
                .setTransactionStartTimeMs(transaction.startedMs())
                .setProducerId(transaction.current().id())
                .setProducerEpoch(transaction.current().epoch());
        for (Participant participant : transaction.participants()) {
            if (participant.part() == Participant.Part.DATA) {
                topic(state, participant.log()).partitions().add(participant.partition());
            }
        }
        return state;
    }

    private static TopicData topic(TransactionState state, String name) {
        TopicData topic = state.topics().find(name);
        if (topic == null) {
            topic = new TopicData().setTopic(name);
            state.topics().add(topic);
        }
        return topic;
    }
}
