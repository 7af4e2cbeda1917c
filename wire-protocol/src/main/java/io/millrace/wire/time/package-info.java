/**
 * Where time comes from. Read {@link io.millrace.wire.time.TimeSource} first.
 *
 * <p>Everything that needs a clock is given a {@code TimeSource}; only {@link io.millrace.wire.time.SystemTimeSource} reads one. That
 * is what lets a test step a whole cluster through hours in one thread. All types here may be used from any thread.
 */
@NullMarked
package io.millrace.wire.time;

import org.jspecify.annotations.NullMarked;
