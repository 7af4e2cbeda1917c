/**
 * The commit journal of a data directory: what many logs have written and not forced, in one sequential file that is forced instead of
 * theirs. Read {@link io.millrace.log.internal.journal.CommitJournal} first; {@code docs/log-format.md} has the bytes.
 *
 * <p>Written by the syncer's thread; other threads only have a log forgotten, or give back a file.
 */
@NullMarked
package io.millrace.log.internal.journal;

import org.jspecify.annotations.NullMarked;
