/**
 * How Kafka clients read: {@link io.millrace.broker.internal.kafka.fetch.PendingFetch} is a fetch that waits for enough,
 * {@link io.millrace.broker.internal.kafka.fetch.FetchSessions} remembers what each consumer reads, so that it need not say it every time
 * (KIP-227). A fetch runs on the socket loop of its connection.
 */
@NullMarked
package io.millrace.broker.internal.kafka.fetch;

import org.jspecify.annotations.NullMarked;
