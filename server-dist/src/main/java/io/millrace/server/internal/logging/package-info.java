/** The server's logging library. {@link io.millrace.server.internal.logging.LogbackLevels} lets administrators change levels; from any thread. */
@NullMarked
package io.millrace.server.internal.logging;

import org.jspecify.annotations.NullMarked;
