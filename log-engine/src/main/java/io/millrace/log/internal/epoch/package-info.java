/**
 * Which leader epoch began where in a log. Read {@link io.millrace.log.internal.epoch.EpochHistory} first. Immutable, for any thread.
 */
@NullMarked
package io.millrace.log.internal.epoch;

import org.jspecify.annotations.NullMarked;
