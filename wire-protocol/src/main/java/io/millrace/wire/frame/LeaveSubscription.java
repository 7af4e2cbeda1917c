package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Gives back a consumer's claim on a subscription. Answered by {@link Done}, also if there is no such claim.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param subscriptionUuid identity of the subscription
 */
public record LeaveSubscription(int corr, int session, int consumer, UUID subscriptionUuid) implements RequestFrame {

    /** Checks the ranges. */
    public LeaveSubscription {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        Objects.requireNonNull(subscriptionUuid, "subscriptionUuid");
    }

    static LeaveSubscription read(FieldReader in) {
        return new LeaveSubscription(
                in.i32("corr"), in.i32("session"), in.i32("consumer"), in.uuid("subscriptionUuid"));
    }

    static void write(FieldWriter out, LeaveSubscription frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.uuid(frame.subscriptionUuid);
    }

    @Override
    public FrameType type() {
        return FrameType.LEAVE_SUBSCRIPTION;
    }
}
