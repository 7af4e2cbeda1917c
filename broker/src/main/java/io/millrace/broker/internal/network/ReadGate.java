package io.millrace.broker.internal.network;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides whether a connection is read. There are reasons not to: its requests in work, or those of all connections, hold too many bytes;
 * too many bytes wait for it to read them; the broker has no room for the frame that it is in the middle of. A client that is not read notices by its own socket buffer filling up: this is the backpressure of the protocol.
 * May be used from any thread.
 */
final class ReadGate {

    /** Why a connection is not read at present. */
    enum Reason {
        /** Requests in work hold too many bytes. */
        IN_FLIGHT(1),
        /** Too many bytes wait for the client to read them. */
        OUTBOUND(2),
        /** Requests of all connections in work hold too many bytes. */
        BROKER_IN_FLIGHT(4),
        /** There is no room for the frame that has begun. */
        FRAME_MEMORY(8),
        /** A step of its login takes a while. */
        LOGIN(16),
        /** It is over a quota. */
        THROTTLED(32),
        /** Many of its requests are not answered yet. */
        PENDING(64),
        /** It has had its turn, and others are to have theirs. */
        TURN(128);

        private final int bit;

        Reason(int bit) {
            this.bit = bit;
        }
    }

    private final Channel channel;
    private final Runnable whenOpened;
    private final AtomicInteger reasons = new AtomicInteger();

    ReadGate(Channel channel) {
        this(channel, () -> {});
    }

    /** @param whenOpened goes on with what was read before the gate closed; on the loop, in a task of its own */
    ReadGate(Channel channel, Runnable whenOpened) {
        this.channel = channel;
        this.whenOpened = whenOpened;
    }

    void close(Reason reason) {
        if (reasons.getAndUpdate(bits -> bits | reason.bit) == 0) {
            apply();
        }
    }

    void open(Reason reason) {
        int before = reasons.getAndUpdate(bits -> bits & ~reason.bit);
        if (before != 0 && (before & ~reason.bit) == 0) {
            apply();
        }
    }

    boolean isClosed() {
        return reasons.get() != 0;
    }

    /** Returns whether the broker does not read what the client sends for reasons that the client cannot change by reading. */
    boolean isClosedByBroker() {
        return (reasons.get() & ~Reason.OUTBOUND.bit) != 0;
    }

    boolean isClosedFor(Reason reason) {
        return (reasons.get() & reason.bit) != 0;
    }

    /** On the loop, where the state is looked at anew: two threads that close and open at once cannot leave it wrong. */
    private void apply() {
        if (channel.eventLoop().inEventLoop()) {
            applyOnLoop();
        } else {
            channel.eventLoop().execute(this::applyOnLoop);
        }
    }

    private void applyOnLoop() {
        boolean open = reasons.get() == 0;
        channel.config().setAutoRead(open);
        if (open) {
            channel.eventLoop().execute(whenOpened);
        }
    }
}
