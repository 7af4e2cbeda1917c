/**
 * Topics as Kafka clients see them: by name or id. Read {@link io.millrace.broker.internal.kafka.topic.KafkaTopics} first. From any thread.
 */
@NullMarked
package io.millrace.broker.internal.kafka.topic;

import org.jspecify.annotations.NullMarked;
