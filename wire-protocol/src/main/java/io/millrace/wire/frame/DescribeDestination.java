package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks for a destination, and creates it if wanted. Answered by {@link DestinationDescribed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it must be; empty: either
 * @param name JMS name
 * @param autoCreate create it when it does not exist and the broker permits that; needs a kind
 */
public record DescribeDestination(int corr, Optional<DestinationKind> kind, String name, boolean autoCreate)
        implements RequestFrame {

    /** Checks the ranges. */
    public DescribeDestination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        FieldChecks.require(!autoCreate || kind.isPresent(), "kind", "must be known to create a destination");
    }

    static DescribeDestination read(FieldReader in) {
        return new DescribeDestination(in.i32("corr"), in.kindOrAny("kind"), in.string("name"), in.bool("autoCreate"));
    }

    static void write(FieldWriter out, DescribeDestination frame) {
        out.i32(frame.corr);
        out.kindOrAny(frame.kind);
        out.string(frame.name);
        out.bool(frame.autoCreate);
    }

    @Override
    public FrameType type() {
        return FrameType.DESCRIBE_DESTINATION;
    }
}
