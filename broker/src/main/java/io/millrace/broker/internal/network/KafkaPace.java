package io.millrace.broker.internal.network;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * How far the requests that a client sent at once are gone through before its socket and others on its loop have their turn. A read may
 * bring thousands of requests of twenty bytes, whose answers take megabytes each, or of two kilobytes, which unpack to sixty megabytes. On
 * the connection's loop.
 */
final class KafkaPace {

    /**
     * Requests that are in work, or whose answers wait for an earlier one; with so many no further one is looked at. More than clients
     * have on their way that keep an order (five), and so few that what they take which no window counts is bounded.
     */
    static final int MOST_PENDING = 8;

    /** For how long requests of one connection are handled in one go. */
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Channel channel;
    private final ReadGate gate;
    private long turnNs;
    private boolean full;

    KafkaPace(Channel channel, ReadGate gate) {
        this.channel = channel;
        this.gate = gate;
    }

    /**
     * A request was handled.
     *
     * @param tookNs for how long
     * @param nowFull whether no further one is to be looked at before answers have left
     */
    void onHandled(long tookNs, boolean nowFull) {
        if (nowFull && !full) {
            full = true;
            gate.close(ReadGate.Reason.PENDING);
        }
        turnNs += tookNs;
        if (turnNs > TURN_NS) {
            turnNs = 0;
            gate.close(ReadGate.Reason.TURN);
            openLater(ReadGate.Reason.TURN);
        }
    }

    /** All answers that may leave have left. */
    void onDrained(boolean stillFull) {
        if (full && !stillFull) {
            full = false;
            openLater(ReadGate.Reason.PENDING);
        }
    }

    /** As a timer: the loop runs tasks that tasks add before it looks at the sockets, and timers after that. */
    private void openLater(ReadGate.Reason reason) {
        Object _ = channel.eventLoop().schedule(() -> gate.open(reason), 0, TimeUnit.NANOSECONDS);
    }

    /** What came in a read was gone through. */
    void onReadComplete() {
        turnNs = 0;
    }
}
