package io.millrace.wire.frame;

import java.util.Objects;
import java.util.Optional;

/**
 * Deletes a durable subscription. Answered by {@link Done}; refused with {@link io.millrace.wire.ErrorCode#SUBSCRIPTION_IN_USE}
 * while it is claimed.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param clientId JMS client id that the name belongs to
 * @param name name of the subscription
 */
public record Unsubscribe(int corr, int session, Optional<String> clientId, String name) implements RequestFrame {

    /** Checks the ranges. */
    public Unsubscribe {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(clientId, "clientId");
        Objects.requireNonNull(name, "name");
    }

    static Unsubscribe read(FieldReader in) {
        return new Unsubscribe(in.i32("corr"), in.i32("session"), in.nullableString("clientId"), in.string("name"));
    }

    static void write(FieldWriter out, Unsubscribe frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.nullableString(frame.clientId);
        out.string(frame.name);
    }

    @Override
    public FrameType type() {
        return FrameType.UNSUBSCRIBE;
    }
}
