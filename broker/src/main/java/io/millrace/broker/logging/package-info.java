/** What a program with a logging library offers to the broker that runs in it: {@link io.millrace.broker.logging.LogLevels}. Any thread. */
@NullMarked
package io.millrace.broker.logging;

import org.jspecify.annotations.NullMarked;
