package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Messages for a consumer, lent to it under one acquisition until it acknowledges or releases them, or its session ends.
 *
 * <p>Not answered: acknowledgements come when the application has worked. Each entry takes one message of credit.
 *
 * @param session number of the session on this connection
 * @param consumer number of the consumer in its session
 * @param partition partition of the log
 * @param leaderEpoch epoch of the leader; drop the frame if it is older than one already seen
 * @param acquisition identity of this delivery, which acknowledgements and releases name
 * @param form what the payload is
 * @param baseOffset offset that the entries count from
 * @param baseTimestampMs timestamp that the records' timestamp deltas count from in form {@link DeliveryForm#RECORDS}
 * @param entries the messages, at least one
 * @param payload their bytes
 */
public record Deliver(
        int session,
        int consumer,
        int partition,
        int leaderEpoch,
        long acquisition,
        DeliveryForm form,
        long baseOffset,
        long baseTimestampMs,
        DeliveryEntries entries,
        ByteBuffer payload)
        implements PayloadFrame {

    /** Checks the ranges. */
    public Deliver {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        FieldChecks.atLeast(0, acquisition, "acquisition");
        Objects.requireNonNull(form, "form");
        FieldChecks.atLeast(0, baseOffset, "baseOffset");
        FieldChecks.require(
                baseOffset <= Long.MAX_VALUE - entries.offsetDelta(entries.count() - 1),
                "baseOffset",
                "goes beyond the largest offset");
        payload = payload.slice();
    }

    static Deliver read(FieldReader in) {
        return new Deliver(
                in.i32("session"),
                in.i32("consumer"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                in.i64("acquisition"),
                DeliveryForm.fromId(in, "form"),
                in.i64("baseOffset"),
                in.i64("baseTimestampMs"),
                DeliveryEntries.read(in),
                in.rest());
    }

    static void write(FieldWriter out, Deliver frame) {
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.i32(frame.leaderEpoch);
        out.i64(frame.acquisition);
        out.u8(frame.form.id());
        out.i64(frame.baseOffset);
        out.i64(frame.baseTimestampMs);
        DeliveryEntries.write(out, frame.entries);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.DELIVER;
    }
}
