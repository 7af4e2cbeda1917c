/**
 * How soon a broker serves, and what it takes while nobody asks anything of it. Read
 * {@link io.millrace.benchmarks.start.StartCommand}, on whose thread everything runs.
 */
@NullMarked
package io.millrace.benchmarks.start;

import org.jspecify.annotations.NullMarked;
