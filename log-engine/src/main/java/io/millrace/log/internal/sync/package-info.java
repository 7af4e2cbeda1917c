/**
 * Makes written records durable, many logs with one round of forces. Read {@link io.millrace.log.internal.sync.Syncer} first: one per data
 * directory, on a thread of its own.
 */
@NullMarked
package io.millrace.log.internal.sync;

import org.jspecify.annotations.NullMarked;
