package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.metadata.BrokerEndpoint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.server.share.SharePartitionKey;

/**
 * Says which broker decides for a group, a transaction or a share of a partition: this one. For a group or a transaction it is answered once that
 * can begin; the first such request creates what groups, or transactions, are kept in.
 */
public final class FindCoordinatorHandler implements KafkaHandler<FindCoordinatorRequest> {

    /** How long somebody who looks for the coordinator of transactions waits for it, rather than being told to come back. */
    private static final long PATIENCE_MS = 2_000;

    private final GroupCoordination groups;
    private final TransactionCoordination transactions;
    private final KafkaTopics topics;
    private final int brokerId;

    public FindCoordinatorHandler(
            GroupCoordination groups, TransactionCoordination transactions, KafkaTopics topics, int brokerId) {
        this.groups = groups;
        this.transactions = transactions;
        this.topics = topics;
        this.brokerId = brokerId;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public void handle(FindCoordinatorRequest request, KafkaExchange exchange) {
        boolean single = exchange.version() < FindCoordinatorRequest.MIN_BATCHED_VERSION;
        CoordinatorType type = type(request, exchange.version());
        List<String> keys =
                single ? List.of(request.data().key()) : request.data().coordinatorKeys();
        List<CompletableFuture<Coordinator>> asked = keys.stream()
                .map(key -> find(type, key, exchange).toCompletableFuture())
                .toList();
        var _ = Stages.all(asked).whenComplete((found, failure) -> {
            if (failure != null) {
                exchange.fail(failure);
            } else {
                exchange.answer(new FindCoordinatorResponse(
                        single ? single(found.getFirst()) : new FindCoordinatorResponseData().setCoordinators(found)));
            }
        });
    }

    private static CoordinatorType type(FindCoordinatorRequest request, short version) {
        CoordinatorType type;
        try {
            type = CoordinatorType.forId(request.data().keyType());
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "there are no coordinators of type " + request.data().keyType(), e);
        }
        if (type == CoordinatorType.SHARE && version < 6) {
            throw new InvalidRequestException("coordinators of share groups are asked for from version 6 on");
        }
        return type;
    }

    private CompletionStage<Coordinator> find(CoordinatorType type, String key, KafkaExchange exchange) {
        return switch (type) {
            case GROUP ->
                groups.whenUsable()
                        .handle((usable, failure) -> failure == null ? here(key, exchange) : nowhere(key, failure));
            case TRANSACTION ->
                transactions
                        .whenUsable()
                        .toCompletableFuture()
                        .copy()
                        .orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
                        .handle((usable, failure) ->
                                failure == null ? here(key, exchange) : noTransactions(key, failure));
            case SHARE -> CompletableFuture.completedFuture(ofShare(key, exchange));
        };
    }

    private Coordinator ofShare(String key, KafkaExchange exchange) {
        try {
            SharePartitionKey.validate(key);
            return here(key, exchange);
        } catch (IllegalArgumentException e) {
            return nowhere(key, new InvalidRequestException(String.valueOf(e.getMessage()), e));
        }
    }

    private Coordinator here(String key, KafkaExchange exchange) {
        BrokerEndpoint endpoint = topics.image()
                .broker(brokerId)
                .flatMap(
                        broker -> KafkaTopics.endpoint(broker, exchange.client().listener()))
                .orElseThrow(() -> new IllegalStateException("broker " + brokerId + " is not registered, and serves"));
        return FindCoordinatorResponse.prepareCoordinatorResponse(
                Errors.NONE, key, new Node(brokerId, endpoint.host(), endpoint.port()));
    }

    private static Coordinator noTransactions(String key, Throwable failure) {
        return failure instanceof TimeoutException
                ? FindCoordinatorResponse.prepareCoordinatorResponse(
                        Errors.COORDINATOR_LOAD_IN_PROGRESS, key, Node.noNode())
                : nowhere(key, failure);
    }

    private static Coordinator nowhere(String key, Throwable failure) {
        return FindCoordinatorResponse.prepareCoordinatorResponse(KafkaErrors.of(failure), key, Node.noNode());
    }

    private static FindCoordinatorResponseData single(Coordinator found) {
        return new FindCoordinatorResponseData()
                .setErrorCode(found.errorCode())
                .setErrorMessage(found.errorMessage())
                .setNodeId(found.nodeId())
                .setHost(found.host())
                .setPort(found.port());
    }
}
