package io.millrace.systemtests.network;

import io.millrace.wire.frame.Peer;
import java.nio.ByteBuffer;

/** Sees the frames of one connection of the native protocol. Called by the threads of both directions. */
public interface FrameWatch {

    /** What becomes of a frame. */
    enum Fate {
        /** It is passed on. */
        PASS,
        /** It is not passed on, nor is anything behind it. */
        HOLD,
        /** It is not passed on, and the connection is cut. */
        CUT,
        /** It is passed on, and then the connection is cut. */
        PASS_AND_CUT
    }

    /**
     * Decides about a frame.
     *
     * @param content type and fields
     */
    Fate onFrame(ByteBuffer content, Peer sender);

    /** A frame was passed on. */
    default void onPassed(Peer sender) {}
}
