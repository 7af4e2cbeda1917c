/**
 * The JMS program that is run against both brokers, in a JVM of its own on either side. It calls {@code jakarta.jms} and nothing else of
 * a provider: the one class of the provider that it needs, the connection factory, is named on its command line.
 *
 * <p>Read {@link io.millrace.benchmarks.program.Workload} first, then {@link io.millrace.benchmarks.program.Workloads} for the list.
 * {@link io.millrace.benchmarks.program.BenchProgram} reads one {@link io.millrace.benchmarks.program.RunRequest} per line and answers each
 * with a {@link io.millrace.benchmarks.program.Measurement}. A run prepares, then measures between two calls of
 * {@link io.millrace.benchmarks.program.Meter}, then counts what arrived: a message that is missing, or there twice, fails the benchmark.
 */
@NullMarked
package io.millrace.benchmarks.program;

import org.jspecify.annotations.NullMarked;
