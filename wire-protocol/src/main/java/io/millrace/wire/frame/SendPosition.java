package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * How far the batches of a transaction have come in a partition.
 *
 * @param logId identity of the log
 * @param partition partition of the log
 * @param nextSequence base sequence of the next batch
 */
public record SendPosition(UUID logId, int partition, int nextSequence) {

    /** Checks the ranges. */
    public SendPosition {
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, nextSequence, "nextSequence");
    }

    static SendPosition read(FieldReader in) {
        return new SendPosition(in.uuid("logId"), in.i32("partition"), in.i32("nextSequence"));
    }

    static void write(FieldWriter out, SendPosition item) {
        out.uuid(item.logId);
        out.i32(item.partition);
        out.i32(item.nextSequence);
    }
}
