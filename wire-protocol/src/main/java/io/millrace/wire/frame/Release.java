package io.millrace.wire.frame;

import java.util.List;

/**
 * Gives messages back to their places. Answered by {@link Done}. What is no longer acquired is passed over.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 * @param leaderEpoch epoch of the partition's leader, as known to the sender
 * @param items what is released
 */
public record Release(int corr, int session, int consumer, int partition, int leaderEpoch, List<ReleasedRanges> items)
        implements RequestFrame {

    /** Checks the ranges. */
    public Release {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        items = List.copyOf(items);
    }

    static Release read(FieldReader in) {
        return new Release(
                in.i32("corr"),
                in.i32("session"),
                in.i32("consumer"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                in.list("items", 19, ReleasedRanges::read));
    }

    static void write(FieldWriter out, Release frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.i32(frame.leaderEpoch);
        out.list(frame.items, ReleasedRanges::write);
    }

    @Override
    public FrameType type() {
        return FrameType.RELEASE;
    }
}
