/**
 * Names of destinations, and how they become names of logs. Read {@link io.millrace.wire.name.DestinationName} first.
 *
 * <p>Immutable values, usable from any thread.
 */
@NullMarked
package io.millrace.wire.name;

import org.jspecify.annotations.NullMarked;
