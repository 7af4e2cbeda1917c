/**
 * What is written about records that are given up: read {@link io.millrace.broker.internal.deadletter.DeadLetterWriter}. Where it goes is
 * said by a {@link io.millrace.broker.internal.deadletter.DeadLetterAddress}, of which share groups have one each.
 *
 * <p>The batches are built on the I/O pool, one at a time, and appended on the shards of the partitions that take them.
 */
@NullMarked
package io.millrace.broker.internal.deadletter;

import org.jspecify.annotations.NullMarked;
