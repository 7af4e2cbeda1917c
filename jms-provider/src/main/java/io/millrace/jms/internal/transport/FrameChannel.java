package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.Frame;

/** One socket, as something that takes frames. Confined to the loop. */
interface FrameChannel {

    /**
     * Sends a frame after those sent before; a large one as a transfer, which others may overtake.
     *
     * @param frame what to send
     * @param sent called once when the last byte was handed to the socket; not called if the socket closes before
     */
    void send(Frame frame, Runnable sent);

    /** Permits the chunks of a transfer. */
    void onGrant(int transferId);

    /** Closes the socket after what was sent before. {@link Listener#onClosed} follows. */
    void close();

    /** What comes out of a socket, in order, on the loop. */
    interface Listener {

        /** The prologues agreed on a version: frames may be sent. */
        void onOpen(FrameChannel channel);

        /** A whole frame came; transfers are put together already. */
        void onFrame(Frame frame);

        /** The socket is closed; called once, also if it never opened. */
        void onClosed(LinkException why);
    }
}
