/** The machine that measures: what others do on it meanwhile. Read {@link io.millrace.benchmarks.machine.Neighbours}. */
@NullMarked
package io.millrace.benchmarks.machine;

import org.jspecify.annotations.NullMarked;
