/**
 * The objects of the classic JMS API: connection, session, producer, consumer.
 *
 * <p>Read {@link io.millrace.jms.internal.session.MillraceConnection} and {@link io.millrace.jms.internal.session.MillraceSession} first. They
 * are called by the application's threads, under the rules of Jakarta Messaging (a session is used by one thread at a time), hand their
 * work to the loop of the connection, and wait for it. Listeners are called by threads of the connection's own.
 */
@NullMarked
package io.millrace.jms.internal.session;

import org.jspecify.annotations.NullMarked;
