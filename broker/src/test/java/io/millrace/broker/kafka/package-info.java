/** The Kafka door, through Kafka's own clients. */
@NullMarked
package io.millrace.broker.kafka;

import org.jspecify.annotations.NullMarked;
