/**
 * Queues and topics: from a name to a log, from a log to the partitions that this broker leads.
 *
 * <p>Read {@link io.millrace.broker.internal.destination.Destinations} first, then {@link
 * io.millrace.broker.internal.destination.PartitionLifecycle}, which opens and removes partitions as the metadata says. Lookups may be
 * made from any thread; what changes runs on the control shard.
 */
@NullMarked
package io.millrace.broker.internal.destination;

import org.jspecify.annotations.NullMarked;
