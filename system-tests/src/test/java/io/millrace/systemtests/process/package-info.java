/**
 * Tests of the distribution as its users have it: processes, signals, exit codes, jars. They need it built: run them with
 * {@code ./millrace mvn verify} or {@code package}, not {@code test}.
 */
@NullMarked
package io.millrace.systemtests.process;

import org.jspecify.annotations.NullMarked;
