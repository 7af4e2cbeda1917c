/**
 * Compaction: rewrites the segments of a log so that of each key only the last record stays. Read
 * {@link io.millrace.log.internal.clean.LogCleaning} first. Runs on the cleaner's threads; only what a log says of itself, and the exchange of
 * segments, is done on the log's shard.
 */
@NullMarked
package io.millrace.log.internal.clean;

import org.jspecify.annotations.NullMarked;
