/**
 * The login exchange: what stands in the data of Login, LoginChallenge and LoginOk frames.
 *
 * <p>Read {@link io.millrace.wire.login.ServerLogin} and {@link io.millrace.wire.login.ClientLogin} first: one object of either takes part
 * in one exchange, as a state machine over bytes. Mechanisms: none, PLAIN (RFC 4616), SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, RFC 7677).
 *
 * <p>No threads, no sockets, no stored users: the caller looks credentials up and supplies randomness. An exchange is confined to the
 * thread that reads the connection; deriving a key from a password (client: SCRAM, server: PLAIN) takes milliseconds to a second of CPU
 * and belongs on a thread that may be busy.
 */
@NullMarked
package io.millrace.wire.login;

import org.jspecify.annotations.NullMarked;
