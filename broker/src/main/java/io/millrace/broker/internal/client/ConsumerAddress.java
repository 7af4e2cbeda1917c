package io.millrace.broker.internal.client;

/**
 * What a client calls one consumer on one partition.
 *
 * @param consumer number that the client chose, unique in its session
 * @param partition partition of the consumer's log
 */
public record ConsumerAddress(int consumer, int partition) {}
