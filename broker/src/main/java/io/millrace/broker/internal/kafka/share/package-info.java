/**
 * Share groups (KIP-932): read {@link io.millrace.broker.internal.kafka.share.PendingShareFetch} for the way of a record to a member, and
 * {@link io.millrace.broker.internal.kafka.share.ShareCursors} for what a group is here: one cursor of each log that it consumes, the same
 * that JMS programs call {@code log::group}.
 *
 * <p>Requests run on the socket loops of their connections; what they ask for, on the shards of partitions.
 */
@NullMarked
package io.millrace.broker.internal.kafka.share;

import org.jspecify.annotations.NullMarked;
