/**
 * The Kafka door: what Kafka clients ask, and who answers. Read {@link io.millrace.broker.internal.kafka.handler.KafkaRouter} first: it has the
 * table of all requests; {@link io.millrace.broker.internal.kafka.KafkaExchange} is one of them under way.
 *
 * <p>Requests are decoded on the connection's socket loop, and handlers begin there; they may answer from any thread.
 */
@NullMarked
package io.millrace.broker.internal.kafka;

import org.jspecify.annotations.NullMarked;
