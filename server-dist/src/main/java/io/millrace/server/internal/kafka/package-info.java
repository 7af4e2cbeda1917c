/**
 * Commands that are clients of the Kafka protocol, by Kafka's own client, so that they work with any broker that speaks it: the only place of the
 * command line that knows its classes. Read {@link io.millrace.server.internal.kafka.KafkaCluster} first. Everything runs on the thread of the
 * command, beside the threads of Kafka's client.
 */
@NullMarked
package io.millrace.server.internal.kafka;

import org.jspecify.annotations.NullMarked;
