package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import java.util.Objects;

/**
 * Answer to a request that was not done. Says nothing about requests before or after it.
 *
 * @param corr of the request
 * @param session number of the session on this connection, 0 for a request of connection level
 * @param code what kind of failure, never {@link ErrorCode#NONE}
 * @param message what failed, why, and what to do
 */
public record Failure(int corr, int session, ErrorCode code, String message) implements AnswerFrame {

    /** Checks the ranges. */
    public Failure {
        FieldChecks.atLeast(0, session, "session");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        FieldChecks.require(code != ErrorCode.NONE, "code", "a failure must say what failed");
    }

    static Failure read(FieldReader in) {
        return new Failure(in.i32("corr"), in.i32("session"), in.errorCode("code"), in.string("message"));
    }

    static void write(FieldWriter out, Failure frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.errorCode(frame.code);
        out.string(frame.message);
    }

    @Override
    public FrameType type() {
        return FrameType.FAILURE;
    }
}
