package io.millrace.broker.internal.network;

import io.millrace.wire.frame.Frame;

/**
 * A frame that came in.
 *
 * @param frame the frame
 * @param bytes its size on the wire, which it holds of the connection's bound until its exchange is finished
 * @param release gives back other memory that it came in, beyond that
 */
record InboundFrame(Frame frame, int bytes, Runnable release) {

    InboundFrame(Frame frame, int bytes) {
        this(frame, bytes, () -> {});
    }
}
