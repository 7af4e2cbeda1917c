package io.millrace.wire.frame;

import java.util.Objects;

/**
 * A log of a partition that takes part in a transaction.
 *
 * @param log name of the log
 * @param partition partition of the log
 * @param cursors whether it is the log of cursors, with acknowledgements, and not the one of data
 * @param standing what it has of the transaction
 * @param firstOffset where the records of the transaction begin, which readers that want only what is decided do not pass; -1 if that is not
 *     known, or for acknowledgements
 */
public record TransactionParticipant(
        String log, int partition, boolean cursors, ParticipantStanding standing, long firstOffset) {

    /** Checks the ranges. */
    public TransactionParticipant {
        Objects.requireNonNull(log, "log");
        FieldChecks.atLeast(0, partition, "partition");
        Objects.requireNonNull(standing, "standing");
        FieldChecks.atLeast(-1, firstOffset, "firstOffset");
    }

    static TransactionParticipant read(FieldReader in) {
        return new TransactionParticipant(
                in.string("log"),
                in.i32("partition"),
                in.bool("cursors"),
                ParticipantStanding.fromId(in, "standing"),
                in.i64("firstOffset"));
    }

    static void write(FieldWriter out, TransactionParticipant item) {
        out.string(item.log);
        out.i32(item.partition);
        out.bool(item.cursors);
        out.u8(item.standing.id());
        out.i64(item.firstOffset);
    }
}
