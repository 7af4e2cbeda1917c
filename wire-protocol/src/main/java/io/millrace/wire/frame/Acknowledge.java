package io.millrace.wire.frame;

import java.util.List;

/**
 * The application is done with messages. Answered by {@link Acknowledged}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param durable true: answer once the acknowledgement is below the cursor log's high watermark; false: once it is applied
 * @param items what is acknowledged
 */
public record Acknowledge(int corr, int session, boolean durable, List<AcknowledgedRanges> items)
        implements RequestFrame {

    /** Checks the ranges. */
    public Acknowledge {
        FieldChecks.atLeast(1, session, "session");
        items = List.copyOf(items);
    }

    static Acknowledge read(FieldReader in) {
        return new Acknowledge(
                in.i32("corr"), in.i32("session"), in.bool("durable"), in.list("items", 30, AcknowledgedRanges::read));
    }

    static void write(FieldWriter out, Acknowledge frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.bool(frame.durable);
        out.list(frame.items, AcknowledgedRanges::write);
    }

    @Override
    public FrameType type() {
        return FrameType.ACKNOWLEDGE;
    }
}
