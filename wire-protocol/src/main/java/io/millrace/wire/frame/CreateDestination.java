package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Objects;

/**
 * Creates a destination. Answered by {@link DestinationDescribed}, or refused with {@link
 * io.millrace.wire.ErrorCode#DESTINATION_EXISTS}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it shall be
 * @param name JMS name
 * @param partitions number of partitions, -1 for the broker's default
 * @param config configuration of its own
 */
public record CreateDestination(int corr, DestinationKind kind, String name, int partitions, List<ConfigEntry> config)
        implements RequestFrame {

    /** Checks the ranges. */
    public CreateDestination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        config = List.copyOf(config);
        FieldChecks.require(
                partitions == -1 || partitions >= 1, "partitions", "must be -1 or at least 1, is " + partitions);
    }

    static CreateDestination read(FieldReader in) {
        return new CreateDestination(
                in.i32("corr"),
                in.kind("kind"),
                in.string("name"),
                in.i32("partitions"),
                in.list("config", 2, ConfigEntry::read));
    }

    static void write(FieldWriter out, CreateDestination frame) {
        out.i32(frame.corr);
        out.kind(frame.kind);
        out.string(frame.name);
        out.i32(frame.partitions);
        out.list(frame.config, ConfigEntry::write);
    }

    @Override
    public FrameType type() {
        return FrameType.CREATE_DESTINATION;
    }
}
