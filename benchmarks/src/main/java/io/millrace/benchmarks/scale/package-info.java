/**
 * {@code ./millrace bench scale}: how far one broker goes, and whether its memory stays flat on the way. Read
 * {@link io.millrace.benchmarks.scale.ScaleCommand} first, then {@link io.millrace.benchmarks.scale.ScaleBroker}, the process that all of
 * them watch. Clients run in the benchmark's own JVM, on the main thread and the provider's; speed is compared with that of the same
 * broker at rest, not with anybody else.
 */
@NullMarked
package io.millrace.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
