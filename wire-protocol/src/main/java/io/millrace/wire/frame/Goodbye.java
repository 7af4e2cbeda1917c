package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import java.util.Objects;

/**
 * Last frame before an orderly close, by either side.
 *
 * @param code why, {@link ErrorCode#NONE} when nothing is wrong
 * @param reason the same for people
 */
public record Goodbye(ErrorCode code, String reason) implements Frame {

    /** Checks the ranges. */
    public Goodbye {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(reason, "reason");
    }

    static Goodbye read(FieldReader in) {
        return new Goodbye(in.errorCode("code"), in.string("reason"));
    }

    static void write(FieldWriter out, Goodbye frame) {
        out.errorCode(frame.code);
        out.string(frame.reason);
    }

    @Override
    public FrameType type() {
        return FrameType.GOODBYE;
    }
}
