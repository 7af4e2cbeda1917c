package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.LinkException;

/** Hears what became of one message, on the loop, once. */
public interface SendListener {

    /** The server has stored it, as safely as its delivery mode asks for. */
    void onStored();

    /**
     * It was not stored, or nobody knows.
     *
     * @param why a {@link io.millrace.jms.internal.transport.RequestRefusedException} if the server said so
     */
    void onFailed(LinkException why);
}
