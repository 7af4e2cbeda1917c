package io.millrace.wire.record;

/**
 * Sequence numbers of idempotent producers: 0 to 2^31-1, then 0 again. One per record and partition; a batch carries the
 * first.
 */
public final class Sequences {
    private Sequences() {}

    /**
     * The sequence number {@code increment} after {@code sequence}.
     *
     * @param sequence 0 or more
     * @param increment 0 or more
     */
    public static int plus(int sequence, int increment) {
        return (sequence + increment) & Integer.MAX_VALUE;
    }

    static void checkProducer(long producerId, short producerEpoch, int baseSequence) {
        boolean none = producerId == RecordBatch.NO_PRODUCER_ID
                && producerEpoch == RecordBatch.NO_PRODUCER_EPOCH
                && baseSequence == RecordBatch.NO_SEQUENCE;
        boolean some = producerId >= 0 && producerEpoch >= 0 && baseSequence >= RecordBatch.NO_SEQUENCE;
        if (!none && !some) {
            throw new IllegalArgumentException("producer id, epoch and sequence must be all set, or all -1: "
                    + producerId + "/" + producerEpoch + "/" + baseSequence);
        }
    }
}
