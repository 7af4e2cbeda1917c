/**
 * {@code ./millrace bench micro}: what single steps of a send and of a receive cost, in time and in bytes allocated, measured by JMH. Read
 * {@link io.millrace.benchmarks.micro.MicroCommand} first; each other class measures one step. JMH runs them in a JVM of their own, on one
 * thread. The package {@code jmh_generated} below is JMH's.
 */
@NullMarked
package io.millrace.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
