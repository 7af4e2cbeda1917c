/**
 * What Kafka's producers ask of transactions, between the handlers and {@link
 * io.millrace.broker.internal.transaction.TransactionCoordination}.
 */
@NullMarked
package io.millrace.broker.internal.kafka.transaction;

import org.jspecify.annotations.NullMarked;
