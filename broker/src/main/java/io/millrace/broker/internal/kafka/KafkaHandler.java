package io.millrace.broker.internal.kafka;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;

/**
 * Answers one kind of request.
 *
 * @param <T> Kafka's class of it
 */
public interface KafkaHandler<T extends AbstractRequest> {

    /** Returns the kind. All of Kafka's versions of it are offered. */
    ApiKeys key();

    /**
     * Begins to answer a request; must not block. What it throws is answered as a failure of the whole request. Called on the
     * connection's socket loop; the answer may come from any thread.
     */
    void handle(T request, KafkaExchange exchange);
}
