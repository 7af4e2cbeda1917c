package io.millrace.jms.internal.transport;

import java.util.function.LongSupplier;

/**
 * How long the server certainly keeps for this client what it has lent to it: a session outlives its connection by its grace, counted from
 * when the server last heard of the client, at the earliest when the client sent the last frame that was answered. A process that was stopped
 * for longer, or whose socket is gone, may hold messages that others have by now.
 *
 * <p>OVER -> HELD -> OVER, any number of times. Changed on the loop, read from any thread.
 */
final class Lease {

    private final LongSupplier nanoTime;
    private volatile boolean given;
    private volatile long endNs;

    Lease(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns whether what was lent is still ours. */
    boolean held() {
        return given && nanoTime.getAsLong() - endNs < 0;
    }

    /**
     * The server has answered.
     *
     * @param askedNs monotonic time of the question
     * @param lengthNs how long it keeps everything from then on
     * @return whether the lease was over before and is held now
     */
    boolean renew(long askedNs, long lengthNs) {
        boolean before = held();
        endNs = askedNs + lengthNs;
        given = true;
        return !before && held();
    }

    /** The socket is gone: whether the server still knows us, its next answer tells. */
    void end() {
        given = false;
    }
}
