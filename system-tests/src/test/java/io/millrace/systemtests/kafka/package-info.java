/** One log, two doors: what JMS writes Kafka's own clients read, and the reverse. */
@NullMarked
package io.millrace.systemtests.kafka;

import org.jspecify.annotations.NullMarked;
