/**
 * JMS messages as log records, so that a Kafka client reads what a JMS client sent and the reverse.
 *
 * <p>Read {@link io.millrace.wire.message.MessageRecords} first: it turns a {@link io.millrace.wire.message.Message} into the key,
 * value and headers of a record, and a record into a {@link io.millrace.wire.message.StoredMessage}, which decodes only what it
 * is asked for. {@code docs/message-format.md} specifies every byte. This package knows the concepts of Jakarta Messaging, but not
 * its API: the client maps these neutral classes to {@code jakarta.jms}, the server uses them as they are. Everything here is
 * immutable or a pure function and runs on the thread that calls it.
 */
@NullMarked
package io.millrace.wire.message;

import org.jspecify.annotations.NullMarked;
