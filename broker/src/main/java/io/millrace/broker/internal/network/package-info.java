/**
 * The socket side: listener, protocol detection, framing, and the connection object of the native protocol.
 *
 * <p>Read {@link io.millrace.broker.internal.network.NettyListener} first, then {@code ProtocolDetector} and {@code NativeConnection},
 * which take over a new connection in this order. Everything here runs on Netty's loops, one per connection, except where a method says
 * that it may be called from any thread. Nothing blocks. Only this package knows Netty.
 */
@NullMarked
package io.millrace.broker.internal.network;

import org.jspecify.annotations.NullMarked;
