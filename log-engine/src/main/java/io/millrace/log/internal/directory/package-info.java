/**
 * A data directory and the files in it that are not of a single log. Read {@link io.millrace.log.internal.directory.DataDirectory} first.
 *
 * <p>Opened and closed by one thread; in between, each class says who may call it.
 */
@NullMarked
package io.millrace.log.internal.directory;

import org.jspecify.annotations.NullMarked;
