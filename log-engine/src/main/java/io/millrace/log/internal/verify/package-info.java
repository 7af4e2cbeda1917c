/**
 * Checks and shows what is on disk, for a stopped broker. Read {@link io.millrace.log.internal.verify.LogCheck} first. On the thread of the
 * command that asked for it.
 */
@NullMarked
package io.millrace.log.internal.verify;

import org.jspecify.annotations.NullMarked;
