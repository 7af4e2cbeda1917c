/**
 * One class per request of the native protocol, and the router that knows them all.
 *
 * <p>Read {@link io.millrace.broker.internal.handler.RequestRouter} first. A handler is called on the socket loop of its client: it looks
 * up what the request names, posts to the shard that owns it, and answers the exchange from there. Handlers have no state of their own.
 */
@NullMarked
package io.millrace.broker.internal.handler;

import org.jspecify.annotations.NullMarked;
