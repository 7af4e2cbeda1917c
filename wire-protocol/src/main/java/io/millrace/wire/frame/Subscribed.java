package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Answer to {@link Subscribe}.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param subscriptionUuid identity of the subscription, for {@link OpenConsumer}
 */
public record Subscribed(int corr, int session, UUID subscriptionUuid) implements AnswerFrame {

    /** Checks the ranges. */
    public Subscribed {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(subscriptionUuid, "subscriptionUuid");
    }

    static Subscribed read(FieldReader in) {
        return new Subscribed(in.i32("corr"), in.i32("session"), in.uuid("subscriptionUuid"));
    }

    static void write(FieldWriter out, Subscribed frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.uuid(frame.subscriptionUuid);
    }

    @Override
    public FrameType type() {
        return FrameType.SUBSCRIBED;
    }
}
