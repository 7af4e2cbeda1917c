/**
 * The commands of {@code millrace}, one class each. Read {@link io.millrace.server.internal.command.MillraceCommand}
 * first: it lists them. Each runs on the main thread.
 */
@NullMarked
package io.millrace.server.internal.command;

import org.jspecify.annotations.NullMarked;
