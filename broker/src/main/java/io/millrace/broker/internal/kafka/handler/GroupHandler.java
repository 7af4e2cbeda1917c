package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * What the requests about groups have in common: the coordinator is asked, and its answer is the answer.
 *
 * @param <T> Kafka's class of the request
 */
abstract class GroupHandler<T extends AbstractRequest> implements KafkaHandler<T> {

    private final GroupCoordination groups;

    GroupHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    /** A question to the coordinator. */
    @FunctionalInterface
    interface Question<R> {

        /** Asks it, on behalf of a client. */
        CompletionStage<R> ask(GroupCoordinator coordinator, AuthorizableRequestContext client);
    }

    /** Asks the coordinator, and answers what it says; or that the request failed, if it does not say anything. */
    final <R> void ask(KafkaExchange exchange, Question<R> question, Function<R, ? extends AbstractResponse> answer) {
        AuthorizableRequestContext client = new ExchangeContext(exchange);
        groups.coordinator()
                .thenCompose(coordinator -> question.ask(coordinator, client))
                .thenApply(answer)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        exchange.answer(response);
                    }
                });
    }
}
