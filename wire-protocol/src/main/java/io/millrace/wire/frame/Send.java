package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;

/**
 * Appends one record batch to a partition. Answered by {@link SendOk}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param logId identity of the log
 * @param partition partition of the log
 * @param leaderEpoch epoch of the partition's leader, as known to the sender
 * @param answer when to answer
 * @param payload exactly one record batch v2 with producer id, epoch and base sequence
 */
public record Send(
        int corr, int session, UUID logId, int partition, int leaderEpoch, SendAnswer answer, ByteBuffer payload)
        implements PayloadFrame, RequestFrame {

    /** Checks the ranges. */
    public Send {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        Objects.requireNonNull(answer, "answer");
        payload = payload.slice();
    }

    static Send read(FieldReader in) {
        return new Send(
                in.i32("corr"),
                in.i32("session"),
                in.uuid("logId"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                SendAnswer.fromId(in, "answer"),
                in.rest());
    }

    static void write(FieldWriter out, Send frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.uuid(frame.logId);
        out.i32(frame.partition);
        out.i32(frame.leaderEpoch);
        out.u8(frame.answer.id());
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.SEND;
    }
}
