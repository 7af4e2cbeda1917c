package io.millrace.broker.internal.network;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How far the requests that a client sent at once are gone through before its socket and others on its loop have their turn. A read may
 * bring thousands of requests of twenty bytes, whose answers take megabytes each. What shards do for a request is not counted. On the
 * connection's loop, except where it says otherwise.
 */
final class KafkaPace {

    /**
     * Answers that wait for an earlier one; with so many no further request is looked at. They are not counted in bytes before they are
     * encoded, and one that names all partitions takes megabytes.
     */
    private static final int MOST_FINISHED = 8;

    /** For how long requests of one connection are handled in one go. */
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Channel channel;
    private final ReadGate gate;
    private final AtomicInteger finished = new AtomicInteger();
    private long turnNs;

    KafkaPace(Channel channel, ReadGate gate) {
        this.channel = channel;
        this.gate = gate;
    }

    /** There is an answer, which has not left. From any thread. */
    void onFinished() {
        finished.incrementAndGet();
    }

    /** An answer leaves. */
    void onLeaving() {
        finished.decrementAndGet();
    }

    /** A request was handled, which took so long. */
    void onHandled(long tookNs, Runnable drain) {
        if (isFull()) {
            drain.run();
            if (isFull()) {
                gate.close(ReadGate.Reason.ANSWERS);
            }
        }
        turnNs += tookNs;
        if (turnNs > TURN_NS) {
            turnNs = 0;
            gate.close(ReadGate.Reason.TURN);
            // As a timer: the loop runs tasks that tasks add before it looks at the sockets, and timers after that.
            Object _ = channel.eventLoop().schedule(() -> gate.open(ReadGate.Reason.TURN), 0, TimeUnit.NANOSECONDS);
        }
    }

    /** All answers that may leave have left. */
    void onDrained() {
        if (gate.isClosedFor(ReadGate.Reason.ANSWERS) && !isFull()) {
            gate.open(ReadGate.Reason.ANSWERS);
        }
    }

    /** What came in a read was gone through. */
    void onReadComplete() {
        turnNs = 0;
    }

    private boolean isFull() {
        return finished.get() >= MOST_FINISHED;
    }
}
