package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks for all destinations. Answered by {@link DestinationsListed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind only these; empty: all
 */
public record ListDestinations(int corr, Optional<DestinationKind> kind) implements RequestFrame {

    /** Checks the ranges. */
    public ListDestinations {
        Objects.requireNonNull(kind, "kind");
    }

    static ListDestinations read(FieldReader in) {
        return new ListDestinations(in.i32("corr"), in.kindOrAny("kind"));
    }

    static void write(FieldWriter out, ListDestinations frame) {
        out.i32(frame.corr);
        out.kindOrAny(frame.kind);
    }

    @Override
    public FrameType type() {
        return FrameType.LIST_DESTINATIONS;
    }
}
