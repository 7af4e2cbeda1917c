package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Answer to {@link DescribeDestination}, {@link CreateDestination} and {@link CreateTemporary}.
 *
 * @param corr of the request
 * @param logId identity of the log, another one when it was deleted and created again
 * @param name JMS name
 * @param kind what it is
 * @param maxMessageBytes largest record batch that it takes
 * @param partitions the partitions in order, each with the broker to talk to
 */
public record DestinationDescribed(
        int corr, UUID logId, String name, DestinationKind kind, int maxMessageBytes, List<PartitionLeader> partitions)
        implements AnswerFrame {

    /** Checks the ranges. */
    public DestinationDescribed {
        Objects.requireNonNull(logId, "logId");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        FieldChecks.atLeast(1, maxMessageBytes, "maxMessageBytes");
        partitions = List.copyOf(partitions);
    }

    static DestinationDescribed read(FieldReader in) {
        return new DestinationDescribed(
                in.i32("corr"),
                in.uuid("logId"),
                in.string("name"),
                in.kind("kind"),
                in.i32("maxMessageBytes"),
                in.list("partitions", 13, PartitionLeader::read));
    }

    static void write(FieldWriter out, DestinationDescribed frame) {
        out.i32(frame.corr);
        out.uuid(frame.logId);
        out.string(frame.name);
        out.kind(frame.kind);
        out.i32(frame.maxMessageBytes);
        out.list(frame.partitions, PartitionLeader::write);
    }

    @Override
    public FrameType type() {
        return FrameType.DESTINATION_DESCRIBED;
    }
}
