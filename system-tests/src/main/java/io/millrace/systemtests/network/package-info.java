/**
 * What stands between clients and a broker, and hurts their connections. Read {@link io.millrace.systemtests.network.TcpProxy} first. Each
 * connection has two threads of its own, one for each direction.
 */
@NullMarked
package io.millrace.systemtests.network;

import org.jspecify.annotations.NullMarked;
