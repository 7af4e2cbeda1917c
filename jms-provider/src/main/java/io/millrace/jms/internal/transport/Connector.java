package io.millrace.jms.internal.transport;

/** Opens sockets. */
interface Connector {

    /**
     * Opens a socket to an address.
     *
     * @param address where to
     * @param listener hears of it, on the loop
     * @return takes the attempt back, or closes the socket
     */
    Attempt connect(ServerAddress address, FrameChannel.Listener listener);

    /** An attempt, successful or not. */
    interface Attempt {
        /** Closes what was opened; {@link FrameChannel.Listener#onClosed} follows if it did not come already. */
        void abandon();
    }
}
