/**
 * {@code ./millrace bench jms}: one JMS program against two brokers, in turns. Read {@link io.millrace.benchmarks.jms.JmsCommand} first,
 * then {@link io.millrace.benchmarks.jms.Comparison}, which runs one workload, and {@link io.millrace.benchmarks.jms.Plan} for what each
 * has to reach. Everything runs on the main thread; brokers and clients are processes of their own.
 */
@NullMarked
package io.millrace.benchmarks.jms;

import org.jspecify.annotations.NullMarked;
