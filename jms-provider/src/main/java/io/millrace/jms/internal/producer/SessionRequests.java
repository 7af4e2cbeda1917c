package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.RequestFrame;
import java.util.function.IntFunction;

/** Asks in the name of a session, within its bound of open requests. On the loop. */
public interface SessionRequests {

    /**
     * Asks once, over the socket that is there.
     *
     * @param session number of the session
     * @param frame makes the frame for a correlation id
     * @param sent runs when the last byte was handed to the socket
     * @param handler takes the outcome
     */
    void ask(int session, IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler);

    /**
     * Returns a session that is known to the server.
     *
     * @param preferred the one wanted, taken if it is
     */
    int usable(int preferred);
}
