/**
 * The Artemis side of {@code ./millrace bench jms}: a program that starts a real ActiveMQ Artemis server, tuned fairly. Read
 * {@link io.millrace.benchmarks.artemis.ArtemisServer}. It runs in a JVM of its own, on a class path of its own.
 */
@NullMarked
package io.millrace.benchmarks.artemis;

import org.jspecify.annotations.NullMarked;
