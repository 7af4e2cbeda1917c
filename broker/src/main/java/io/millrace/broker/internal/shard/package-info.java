/**
 * Shards: the single writers that own all state which changes.
 *
 * <p>Read {@link io.millrace.broker.internal.shard.Shard} first. A shard is a queue of tasks, a set of timers and a list of what to do
 * when a turn ends. {@link io.millrace.broker.internal.shard.ShardLoop} runs the shards of partitions on the socket loops,
 * {@link io.millrace.broker.internal.shard.ShardThread} gives the control shard a thread of its own, a test steps a shard by hand. Nothing that
 * a shard owns needs a lock.
 */
@NullMarked
package io.millrace.broker.internal.shard;

import org.jspecify.annotations.NullMarked;
