package io.millrace.broker.internal.client;

import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;

/**
 * A consumer of a session on one partition: the way from what the client says to the cursor that it means. It stays known after the
 * consumer is closed for as long as the session holds records of it.
 *
 * @param key its identity at the partition
 * @param partition where it consumes
 * @param cursor what it consumes from
 * @param start where the cursor came from
 */
public record SessionConsumer(ConsumerKey key, Partition partition, CursorId cursor, CursorStart start) {}
