/**
 * Who may use what only one may use at a time in the whole cluster: JMS client ids, and unshared durable subscriptions while they have a
 * consumer. Read {@link io.millrace.coordinator.claims.Claims} first.
 *
 * <p>Claims are held in memory, belong to a connection, and end with it. One executor, given from outside, runs them.
 */
@NullMarked
package io.millrace.coordinator.claims;

import org.jspecify.annotations.NullMarked;
