package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Opens a session, or takes up one that lost its connection less than the grace ago.
 *
 * <p>Answered by {@link SessionOpened}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param sessionUuid identity of the session, kept over reconnects
 */
public record OpenSession(int corr, int session, UUID sessionUuid) implements RequestFrame {

    /** Checks the ranges. */
    public OpenSession {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(sessionUuid, "sessionUuid");
    }

    static OpenSession read(FieldReader in) {
        return new OpenSession(in.i32("corr"), in.i32("session"), in.uuid("sessionUuid"));
    }

    static void write(FieldWriter out, OpenSession frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.uuid(frame.sessionUuid);
    }

    @Override
    public FrameType type() {
        return FrameType.OPEN_SESSION;
    }
}
