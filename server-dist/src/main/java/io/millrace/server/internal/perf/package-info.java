/**
 * The load generator of {@code millrace perf jms}. Read {@link io.millrace.server.internal.perf.LoadRun} first: it opens the workers of a
 * {@link io.millrace.server.internal.perf.LoadPlan} and watches them on the thread of the command; each worker has a thread and a JMS
 * connection of its own, and all report to two {@link io.millrace.server.internal.perf.Meter}s.
 */
@NullMarked
package io.millrace.server.internal.perf;

import org.jspecify.annotations.NullMarked;
