/**
 * What the broker knows of those who talk to it: connections, the sessions on them, and one object per open request.
 *
 * <p>Read {@link io.millrace.broker.internal.client.ClientConnection} first, then {@link
 * io.millrace.broker.internal.client.Exchange}. Handlers and partitions see clients only through this package, and so know nothing of
 * sockets. Methods may be called from any thread unless they say otherwise.
 */
@NullMarked
package io.millrace.broker.internal.client;

import org.jspecify.annotations.NullMarked;
