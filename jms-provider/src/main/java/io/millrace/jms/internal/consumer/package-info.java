/**
 * What happens between the server's deliveries and the application: credit, prefetched messages, acknowledgements, and what of it survives a
 * lost socket.
 *
 * <p>Read {@link io.millrace.jms.internal.consumer.ConsumerFeed} first: it asks for messages of all partitions of one consumer and puts them
 * into its {@link io.millrace.jms.internal.consumer.MessageBuffer}, from which a thread of the application takes them. Everything but the
 * buffer is confined to the loop.
 */
@NullMarked
package io.millrace.jms.internal.consumer;

import org.jspecify.annotations.NullMarked;
