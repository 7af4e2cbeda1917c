/**
 * The simplified API (Jakarta Messaging 2.8), built on the classic one: a context is a connection shared with other contexts, and
 * one session of it. Nothing here knows how a connection, session, producer or consumer works.
 *
 * <p>Read {@link io.millrace.jms.internal.context.MillraceContext} first. The one thing that the classic interfaces lack is in
 * {@link io.millrace.jms.internal.context.ReadingConsumer}. As a session, a context is used by one thread at a time, which is the
 * application's or, once there is a message listener, that of the session's listeners; closing is for any thread.
 */
@NullMarked
package io.millrace.jms.internal.context;

import org.jspecify.annotations.NullMarked;
