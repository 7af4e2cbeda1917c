/**
 * What a partition remembers of its producers, so that a retry is stored once: read
 * {@link io.millrace.log.internal.producer.ProducerStates} first. Runs on the log's shard, or on the thread that recovers it.
 */
@NullMarked
package io.millrace.log.internal.producer;

import org.jspecify.annotations.NullMarked;
