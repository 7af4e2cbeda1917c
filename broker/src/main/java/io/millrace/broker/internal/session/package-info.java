/**
 * The life of client sessions and what they hold: consumers, claims, memberships in subscriptions.
 *
 * <p>Read {@link io.millrace.broker.internal.session.Sessions} first. All of it runs on the control shard, a thread for what is rare;
 * sends, deliveries and acknowledgements do not pass here. What other threads may read says so.
 */
@NullMarked
package io.millrace.broker.internal.session;

import org.jspecify.annotations.NullMarked;
