/**
 * What the broker counts about itself, and the way from the counts to those who look: Micrometer, and through it JMX.
 *
 * <p>Read {@link io.millrace.broker.internal.metrics.BrokerMetrics} first. The parts that do the work add to counters of their own shard,
 * which costs no lock, no allocation and no look-up; a thread of {@link io.millrace.broker.internal.metrics.MetricsExport} reads them once
 * a second and whenever somebody asks. Micrometer is seen here only. Names and units: {@code docs/metrics.md}.
 */
@NullMarked
package io.millrace.broker.internal.metrics;

import org.jspecify.annotations.NullMarked;
