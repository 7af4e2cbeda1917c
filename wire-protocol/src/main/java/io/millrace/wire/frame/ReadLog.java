package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Reads a partition without consuming. Answered by {@link LogRead}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param logId identity of the log
 * @param partition partition of the log
 * @param offset first offset wanted
 * @param maxBytes at most this many bytes, but at least one whole batch if there is one
 */
public record ReadLog(int corr, UUID logId, int partition, long offset, int maxBytes) implements RequestFrame {

    /** Checks the ranges. */
    public ReadLog {
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, offset, "offset");
        FieldChecks.atLeast(1, maxBytes, "maxBytes");
    }

    static ReadLog read(FieldReader in) {
        return new ReadLog(in.i32("corr"), in.uuid("logId"), in.i32("partition"), in.i64("offset"), in.i32("maxBytes"));
    }

    static void write(FieldWriter out, ReadLog frame) {
        out.i32(frame.corr);
        out.uuid(frame.logId);
        out.i32(frame.partition);
        out.i64(frame.offset);
        out.i32(frame.maxBytes);
    }

    @Override
    public FrameType type() {
        return FrameType.READ_LOG;
    }
}
