package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/**
 * Answer to {@link ReadLog}.
 *
 * @param corr of the request
 * @param logStart first offset that the log still has
 * @param highWatermark end of what may be read
 * @param payload whole record batches; the first may begin below the offset asked for; empty at the end
 */
public record LogRead(int corr, long logStart, long highWatermark, ByteBuffer payload)
        implements PayloadFrame, AnswerFrame {

    /** Checks the ranges. */
    public LogRead {
        FieldChecks.atLeast(0, logStart, "logStart");
        FieldChecks.atLeast(0, highWatermark, "highWatermark");
        payload = payload.slice();
    }

    static LogRead read(FieldReader in) {
        return new LogRead(in.i32("corr"), in.i64("logStart"), in.i64("highWatermark"), in.rest());
    }

    static void write(FieldWriter out, LogRead frame) {
        out.i32(frame.corr);
        out.i64(frame.logStart);
        out.i64(frame.highWatermark);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.LOG_READ;
    }
}
