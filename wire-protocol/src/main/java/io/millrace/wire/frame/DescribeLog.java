package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Asks for the inner state of a log. Answered by {@link LogDescribed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param logId identity of the log
 */
public record DescribeLog(int corr, UUID logId) implements RequestFrame {

    /** Checks the ranges. */
    public DescribeLog {
        Objects.requireNonNull(logId, "logId");
    }

    static DescribeLog read(FieldReader in) {
        return new DescribeLog(in.i32("corr"), in.uuid("logId"));
    }

    static void write(FieldWriter out, DescribeLog frame) {
        out.i32(frame.corr);
        out.uuid(frame.logId);
    }

    @Override
    public FrameType type() {
        return FrameType.DESCRIBE_LOG;
    }
}
