package io.millrace.wire.frame;

/**
 * Answer to {@link OpenConsumer}. Deliveries follow it, never precede it.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 * @param leaderEpoch epoch of the partition's leader, as known to the sender
 * @param nextOffset first offset that the cursor has not dealt with
 */
public record ConsumerOpened(int corr, int session, int consumer, int partition, int leaderEpoch, long nextOffset)
        implements AnswerFrame {

    /** Checks the ranges. */
    public ConsumerOpened {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        FieldChecks.atLeast(0, nextOffset, "nextOffset");
    }

    static ConsumerOpened read(FieldReader in) {
        return new ConsumerOpened(
                in.i32("corr"),
                in.i32("session"),
                in.i32("consumer"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                in.i64("nextOffset"));
    }

    static void write(FieldWriter out, ConsumerOpened frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.i32(frame.leaderEpoch);
        out.i64(frame.nextOffset);
    }

    @Override
    public FrameType type() {
        return FrameType.CONSUMER_OPENED;
    }
}
