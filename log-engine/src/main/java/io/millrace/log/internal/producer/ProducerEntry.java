package io.millrace.log.internal.producer;

import io.millrace.log.internal.batch.BatchHeader;

/** One producer in one partition: its epoch, and its last batches, by which a retry is recognized. */
final class ProducerEntry {
    /** As many as a producer may have unanswered at a time. */
    static final int BATCHES = 5;

    static final short NO_EPOCH = -1;
    static final long NO_OFFSET = -1;
    static final int NO_COORDINATOR_EPOCH = -1;

    /** A batch in the log: sequence numbers, offsets, and its largest timestamp. */
    record Batch(int firstSequence, int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
        long firstOffset() {
            return lastOffset - offsetDelta;
        }
    }

    private final long producerId;
    private short epoch;
    private int coordinatorEpoch = NO_COORDINATOR_EPOCH;
    private long transactionFirstOffset = NO_OFFSET;
    private long lastTimestampMs = -1;
    private long lastSeenMs;

    /** A ring: the last batch is at {@link #newest}, the one before it on its left. */
    private final Batch[] batches = new Batch[BATCHES];

    private int newest = -1;
    private int batchCount;

    ProducerEntry(long producerId, short epoch, long lastSeenMs) {
        this.producerId = producerId;
        this.epoch = epoch;
        this.lastSeenMs = lastSeenMs;
    }

    long producerId() {
        return producerId;
    }

    short epoch() {
        return epoch;
    }

    int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    /** First offset of the open transaction, or {@link #NO_OFFSET}. */
    long transactionFirstOffset() {
        return transactionFirstOffset;
    }

    boolean inTransaction() {
        return transactionFirstOffset != NO_OFFSET;
    }

    /** Largest timestamp of the last batch or marker. */
    long lastTimestampMs() {
        return lastTimestampMs;
    }

    /** Wall clock when it last appended. */
    long lastSeenMs() {
        return lastSeenMs;
    }

    /** Number of batches remembered. */
    int batchCount() {
        return batchCount;
    }

    /**
     * A remembered batch.
     *
     * @param age 0 for the last one
     */
    Batch batch(int age) {
        return batches[Math.floorMod(newest - age, BATCHES)];
    }

    /** Sequence number that the next batch must start with. */
    int nextSequence() {
        return batchCount == 0 ? 0 : (batch(0).lastSequence() + 1) & Integer.MAX_VALUE;
    }

    void addBatch(Batch batch) {
        newest = (newest + 1) % BATCHES;
        batches[newest] = batch;
        batchCount = Math.min(batchCount + 1, BATCHES);
        lastTimestampMs = batch.timestampMs();
    }

    /** A newer instance of the producer: sequences start again. */
    void moveToEpoch(short newEpoch) {
        if (newEpoch != epoch) {
            epoch = newEpoch;
            batchCount = 0;
        }
    }

    void onBatch(BatchHeader header, long nowMs) {
        moveToEpoch(header.producerEpoch());
        addBatch(new Batch(
                header.baseSequence(),
                header.lastSequence(),
                header.lastOffset(),
                header.lastOffsetDelta(),
                header.maxTimestampMs()));
        lastSeenMs = nowMs;
    }

    void onMarker(BatchHeader header, int markerCoordinatorEpoch, long nowMs) {
        moveToEpoch(header.producerEpoch());
        coordinatorEpoch = markerCoordinatorEpoch;
        transactionFirstOffset = NO_OFFSET;
        lastTimestampMs = header.maxTimestampMs();
        lastSeenMs = nowMs;
    }

    void beginTransaction(long firstOffset) {
        transactionFirstOffset = firstOffset;
    }

    /** Sets what a snapshot knows; see {@link ProducerSnapshot}. */
    void restore(int snapshotCoordinatorEpoch, long snapshotTransactionFirstOffset, long snapshotTimestampMs) {
        coordinatorEpoch = snapshotCoordinatorEpoch;
        transactionFirstOffset = snapshotTransactionFirstOffset;
        lastTimestampMs = snapshotTimestampMs;
    }
}
