/**
 * Shards: the threads that own all state which changes.
 *
 * <p>Read {@link io.millrace.broker.internal.shard.Shard} first. A shard is a queue of tasks, a set of timers and a list of what to do
 * when a turn ends; {@link io.millrace.broker.internal.shard.ShardThread} gives it a thread, a test steps it by hand. Nothing that a
 * shard owns needs a lock.
 */
@NullMarked
package io.millrace.broker.internal.shard;

import org.jspecify.annotations.NullMarked;
