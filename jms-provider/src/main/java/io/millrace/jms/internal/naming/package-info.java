/**
 * JNDI without a server: {@link NamedObjects} is what the environment of an initial context names, {@link ReadOnlyContext} shows it. Immutable, for any
 * thread. Nothing here resolves a reference or asks another naming service, whatever the name.
 */
@NullMarked
package io.millrace.jms.internal.naming;

import org.jspecify.annotations.NullMarked;
