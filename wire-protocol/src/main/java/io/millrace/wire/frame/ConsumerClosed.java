package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import java.util.Objects;

/**
 * The server has ended a consumer on one partition, because its log was deleted or its leader moved. Nothing more is delivered,
 * and its acquisitions are void.
 *
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 * @param code why
 * @param message the same for people
 */
public record ConsumerClosed(int session, int consumer, int partition, ErrorCode code, String message)
        implements Frame {

    /** Checks the ranges. */
    public ConsumerClosed {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
    }

    static ConsumerClosed read(FieldReader in) {
        return new ConsumerClosed(
                in.i32("session"), in.i32("consumer"), in.i32("partition"), in.errorCode("code"), in.string("message"));
    }

    static void write(FieldWriter out, ConsumerClosed frame) {
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.errorCode(frame.code);
        out.string(frame.message);
    }

    @Override
    public FrameType type() {
        return FrameType.CONSUMER_CLOSED;
    }
}
