/**
 * The language that clients, servers and the disk of Millrace share.
 *
 * <p>This package itself holds only what every module needs; read {@link io.millrace.wire.MillraceException} first. Nothing in
 * {@code io.millrace.wire} starts a thread, opens a file or a socket: the code runs on the thread that calls it.
 */
@NullMarked
package io.millrace.wire;

import org.jspecify.annotations.NullMarked;
