/**
 * Real processes for scenarios and benchmarks. Read {@link io.millrace.testkit.process.BrokerProcess} first. A process is
 * started and ended by the thread that owns it; one virtual thread for each copies what it prints.
 */
@NullMarked
package io.millrace.testkit.process;

import org.jspecify.annotations.NullMarked;
