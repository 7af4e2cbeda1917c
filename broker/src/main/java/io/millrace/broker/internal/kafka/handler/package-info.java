/**
 * One handler for each kind of request of Kafka clients. Pick the one whose request you follow; they look alike: find what the request
 * names, have it done where it lives, answer.
 *
 * <p>A handler begins on the connection's socket loop and never blocks there.
 */
@NullMarked
package io.millrace.broker.internal.kafka.handler;

import org.jspecify.annotations.NullMarked;
