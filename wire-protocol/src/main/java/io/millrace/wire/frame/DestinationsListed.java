package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link ListDestinations}.
 *
 * @param corr of the request
 * @param destinations by name
 */
public record DestinationsListed(int corr, List<DestinationSummary> destinations) implements AnswerFrame {

    /** Checks the ranges. */
    public DestinationsListed {
        destinations = List.copyOf(destinations);
    }

    static DestinationsListed read(FieldReader in) {
        return new DestinationsListed(in.i32("corr"), in.list("destinations", 38, DestinationSummary::read));
    }

    static void write(FieldWriter out, DestinationsListed frame) {
        out.i32(frame.corr);
        out.list(frame.destinations, DestinationSummary::write);
    }

    @Override
    public FrameType type() {
        return FrameType.DESTINATIONS_LISTED;
    }
}
