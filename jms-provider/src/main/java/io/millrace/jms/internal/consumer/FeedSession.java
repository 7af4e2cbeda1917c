package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.RequestFrame;
import java.util.function.IntFunction;

/** What consumers need of their session. All on the loop, except {@link #holdsLent}. */
public interface FeedSession {

    /** Returns the number of the session on its connection. */
    int number();

    /** Asks once, over the socket that is there, within the session's bound of open requests. */
    void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler);

    /** Sends what is not answered; without a socket it is forgotten. */
    void tell(Frame frame);

    /** Returns whether the session is known to the server and frames reach it. */
    boolean up();

    /** Returns whether the server certainly still keeps what it lent; for any thread. */
    boolean holdsLent();

    /** Returns the thread and its timers. */
    Loop loop();
}
