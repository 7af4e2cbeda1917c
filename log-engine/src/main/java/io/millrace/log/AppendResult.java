package io.millrace.log;

/** What became of an append. Only {@link Appended} changed the log. */
public sealed interface AppendResult {
    /**
     * Written to the page cache; not synced yet.
     *
     * @param firstOffset offset of the first record
     * @param lastOffset offset of the last record
     * @param bytes size of the batches in bytes
     * @param logAppendTimeMs the time that the log gave the records, in milliseconds since 1970, or -1 if they keep their producer's
     */
    record Appended(long firstOffset, long lastOffset, int bytes, long logAppendTimeMs) implements AppendResult {
        public Appended {
            if (firstOffset < 0 || lastOffset < firstOffset || bytes <= 0) {
                throw new IllegalArgumentException(
                        "not an append: offsets " + firstOffset + ".." + lastOffset + ", " + bytes + " bytes");
            }
        }
    }

    /**
     * A retry of a batch that is in the log already, one of the last five of its producer: answer it like the first try, once
     * {@code lastOffset} is as durable as that needs.
     *
     * @param firstOffset offset of its first record in the log
     * @param lastOffset offset of its last record in the log
     * @param timestampMs largest timestamp of the batch in the log (with log append time: when it was appended), or -1
     */
    record Duplicate(long firstOffset, long lastOffset, long timestampMs) implements AppendResult {}

    /**
     * The producer's batch does not follow its last one: an earlier one is missing, or this is older than the five that are remembered. A
     * producer that is not known here, or no more, may begin with any sequence number, as in Kafka.
     *
     * @param producerId id of the producer
     * @param producerEpoch epoch of the batch
     * @param expectedSequence sequence number that would have followed
     * @param actualSequence first sequence number of the batch
     */
    record OutOfOrderSequence(long producerId, short producerEpoch, int expectedSequence, int actualSequence)
            implements AppendResult {}

    /**
     * A newer instance of the producer has written here.
     *
     * @param producerId id of the producer
     * @param currentEpoch epoch of the newer instance
     * @param batchEpoch epoch of the batch
     */
    record ProducerFenced(long producerId, short currentEpoch, short batchEpoch) implements AppendResult {}

    /**
     * The caller leads no longer: the log has seen a newer epoch.
     *
     * @param currentEpoch latest epoch of the log
     * @param givenEpoch epoch that the caller appends under, or of a batch it replicates
     */
    record StaleLeaderEpoch(int currentEpoch, int givenEpoch) implements AppendResult {}

    /**
     * Batches from the leader that do not continue this log ({@link AppendOrigin#REPLICATION} only).
     *
     * @param expectedOffset log end offset, where they should start
     * @param actualOffset where they start
     */
    record UnexpectedOffset(long expectedOffset, long actualOffset) implements AppendResult {}
}
