/**
 * {@code ./millrace bench kafka}: Millrace and Apache Kafka in turns, driven by Kafka's own performance tools, and for transactions by
 * {@link io.millrace.benchmarks.kafka.TransactionProgram}. Read
 * {@link io.millrace.benchmarks.kafka.Cell} for what is measured and {@link io.millrace.benchmarks.kafka.KafkaSide} for how brokers are
 * started.
 */
@NullMarked
package io.millrace.benchmarks.kafka;

import org.jspecify.annotations.NullMarked;
