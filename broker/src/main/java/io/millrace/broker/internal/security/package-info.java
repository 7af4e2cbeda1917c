/**
 * How clients are let in, and what they may do: TLS and logins of listeners, the authorizer. Read
 * {@link io.millrace.broker.internal.security.Logins} for who a client is and {@link io.millrace.broker.internal.security.Authorizer} for
 * what it may do. From any thread; what says that it is slow belongs on the I/O pool.
 */
@NullMarked
package io.millrace.broker.internal.security;

import org.jspecify.annotations.NullMarked;
