package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.HelloOk;

/** Hears of a {@link BrokerLink}, on the loop. */
public interface LinkListener {

    /**
     * Logged in, for the first time or again. Whoever keeps state at the server takes it up again with {@link BrokerLink#ask}, and then
     * calls {@link BrokerLink#resumed()}, upon which requests that waited for the link go out.
     */
    void onUp(HelloOk server);

    /** The socket is gone; open requests have failed with {@link LinkLostException}. {@link #onUp} or {@link #onClosed} follows. */
    void onDown(LinkException why);

    /** {@link BrokerLink#holdsLent} is true again, after it was not. */
    void onLent();

    /** A frame that answers nothing: a delivery, or the end of a consumer. */
    void onFrame(Frame frame);

    /** It is over, by {@link BrokerLink#close} or because the server is out of reach. Nothing follows. */
    void onClosed(LinkException why);
}
