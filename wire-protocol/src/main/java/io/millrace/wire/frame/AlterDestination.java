package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Objects;

/**
 * Changes the configuration of a destination and gives it more partitions, all of it or nothing, while it is in use. Answered by
 * {@link DestinationDescribed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it must be
 * @param name JMS name
 * @param partitions number of partitions that it shall have, -1 for as many as it has; fewer are refused
 * @param config what changes
 */
public record AlterDestination(int corr, DestinationKind kind, String name, int partitions, List<ConfigChange> config)
        implements RequestFrame {

    /** Checks the ranges. */
    public AlterDestination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        config = List.copyOf(config);
        FieldChecks.require(
                partitions == -1 || partitions >= 1, "partitions", "must be -1 or at least 1, is " + partitions);
    }

    static AlterDestination read(FieldReader in) {
        return new AlterDestination(
                in.i32("corr"),
                in.kind("kind"),
                in.string("name"),
                in.i32("partitions"),
                in.list("config", 2, ConfigChange::read));
    }

    static void write(FieldWriter out, AlterDestination frame) {
        out.i32(frame.corr);
        out.kind(frame.kind);
        out.string(frame.name);
        out.i32(frame.partitions);
        out.list(frame.config, ConfigChange::write);
    }

    @Override
    public FrameType type() {
        return FrameType.ALTER_DESTINATION;
    }
}
