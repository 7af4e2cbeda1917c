/**
 * Files of a data directory, opened when they are needed and closed when too many are open. Read
 * {@link io.millrace.log.internal.file.LogFile} first. Usable from any thread: appends, reads and forces of one file overlap.
 */
@NullMarked
package io.millrace.log.internal.file;

import org.jspecify.annotations.NullMarked;
