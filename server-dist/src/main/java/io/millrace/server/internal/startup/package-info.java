/**
 * The startup cache: what the JVM learned of our classes in a training run, kept in a file so that the next start takes half the time.
 * Read {@link io.millrace.server.internal.startup.StartupCache} first, then {@code bin/millrace}, which names the file and gives it to
 * the JVM. The server makes a missing one on a virtual thread, with processes of their own doing the work.
 */
@NullMarked
package io.millrace.server.internal.startup;

import org.jspecify.annotations.NullMarked;
