package io.millrace.broker.internal.kafka.security;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.security.Access;
import org.apache.kafka.common.requests.AbstractRequest;

/**
 * What a client needs to be allowed to do for one kind of request.
 *
 * @param <T> Kafka's class of it
 */
@FunctionalInterface
interface AccessRule<T extends AbstractRequest> {

    /**
     * Takes what is forbidden out of a request, and has errors for that put into its answer.
     *
     * @throws org.apache.kafka.common.errors.ApiException if the whole request is refused
     */
    void apply(T request, KafkaExchange exchange, Access access);
}
