package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the frame that a connection is in the middle of. A large frame waits until the broker has room for all of it: until then
 * the connection is not read. Whoever was given room and does not go on is ended by {@link ConnectionWatch}, so that it comes back.
 * On the connection's loop, except where it says otherwise.
 */
final class FrameMemory {

    /** A frame up to this size comes with the read that brings its length, or soon after: it takes no reservation. */
    static final int FREE_BYTES = 16 * 1024;

    private static final long NOTHING_GRANTED = Long.MIN_VALUE;

    private final TransferPool pool;
    private final ReadGate gate;
    private final TimeSource time;
    private TransferPool.@Nullable Reservation reservation;
    private volatile long grantedNs = NOTHING_GRANTED;

    FrameMemory(TransferPool pool, ReadGate gate, TimeSource time) {
        this.pool = pool;
        this.gate = gate;
        this.time = time;
    }

    /** The length of a frame is known, and not all of it is there. May be called again for the same frame. */
    void begin(int frameBytes) {
        if (frameBytes <= FREE_BYTES || reservation != null) {
            return;
        }
        gate.close(ReadGate.Reason.FRAME_MEMORY);
        reservation = pool.reserve(frameBytes, () -> {
            grantedNs = time.nanoTime();
            gate.open(ReadGate.Reason.FRAME_MEMORY);
        });
    }

    /** Returns whether the frame that has begun needs no reservation, or has it. */
    boolean hasRoom() {
        return reservation == null || grantedNs != NOTHING_GRANTED;
    }

    /** The frame is whole, or will never be. */
    void end() {
        TransferPool.Reservation held = reservation;
        if (held != null) {
            reservation = null;
            held.release();
            grantedNs = NOTHING_GRANTED;
            gate.open(ReadGate.Reason.FRAME_MEMORY);
        }
    }

    /** Returns for how long the client has had room for a frame and not brought all of it. From any thread. */
    long stalledNs(long nowNs) {
        long granted = grantedNs;
        return granted == NOTHING_GRANTED ? 0 : nowNs - granted;
    }
}
