/**
 * A JMS connection as the loop sees it: sessions, destinations and senders on one link, and how they are taken up again when the link was lost.
 *
 * <p>Read {@link io.millrace.jms.internal.client.ClientConnection} first. Everything is confined to the loop unless it says otherwise; the
 * objects that applications hold ({@code internal.session}) hand tasks to the loop and wait.
 */
@NullMarked
package io.millrace.jms.internal.client;

import org.jspecify.annotations.NullMarked;
