package io.millrace.broker.internal.client;

import io.millrace.wire.frame.Frame;

/** Is told what happens on the connections of logged-in clients. Called on the connection's socket loop, so it must not block. */
public interface ConnectionListener {

    /** The client has logged in. */
    void onOpened(ClientConnection connection);

    /**
     * The client sent a frame that the connection does not answer by itself.
     *
     * @param frame anything but hello, login, heartbeats, transfers and goodbye
     * @param exchange for the answer, also where the frame wants none: it accounts for the bytes
     */
    void onFrame(Frame frame, Exchange exchange);

    /**
     * The client said that it is leaving. The listener ends its sessions without a grace and closes the connection then: a client that
     * has seen the close knows that its client id is free.
     */
    void onGoodbye(ClientConnection connection);

    /** The connection is gone, for whatever reason. */
    void onClosed(ClientConnection connection);
}
