package io.millrace.broker.internal.kafka;

import org.apache.kafka.common.protocol.ApiKeys;

/** Takes the requests of Kafka connections. Called on their socket loops. */
public interface KafkaRequests {

    /** Returns whether requests of a kind are answered. */
    boolean isOffered(ApiKeys key);

    /** Takes a request, whose kind is offered. Throws nothing. */
    void onRequest(KafkaExchange exchange);
}
