package io.millrace.wire.frame;

/**
 * Under which a transaction is written: its batches carry it, and its acknowledgements name it.
 *
 * @param producerId given by the server
 * @param epoch which transaction under this id
 */
public record TransactionIdentity(long producerId, short epoch) {

    /** Checks the ranges. */
    public TransactionIdentity {
        FieldChecks.atLeast(0, producerId, "producerId");
        FieldChecks.atLeast(0, epoch, "epoch");
    }

    static TransactionIdentity read(FieldReader in) {
        return new TransactionIdentity(in.i64("producerId"), in.i16("epoch"));
    }

    static void write(FieldWriter out, TransactionIdentity item) {
        out.i64(item.producerId);
        out.i16(item.epoch);
    }
}
