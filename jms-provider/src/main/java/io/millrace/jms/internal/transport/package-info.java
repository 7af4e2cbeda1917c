/**
 * The way to the server: sockets, handshake, requests and their answers, reconnecting.
 *
 * <p>Read {@link io.millrace.jms.internal.transport.BrokerLink} first: one logical connection that survives several sockets. All state
 * belongs to one {@link io.millrace.jms.internal.transport.Loop}, a thread and its timers; other threads hand it tasks and wait with
 * {@link io.millrace.jms.internal.transport.Calls}. Nothing here knows of JMS.
 */
@NullMarked
package io.millrace.jms.internal.transport;

import org.jspecify.annotations.NullMarked;
