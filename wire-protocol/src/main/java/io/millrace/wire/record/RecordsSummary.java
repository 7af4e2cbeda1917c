package io.millrace.wire.record;

/**
 * What a walk over the records of a batch found.
 *
 * @param recordCount number of records, as in the header
 * @param uncompressedBytes size of the records without the batch header, uncompressed
 * @param maxTimestampMs largest timestamp of a record, or {@link RecordBatch#NO_TIMESTAMP} for an empty batch. A careless
 *     client's header may say otherwise; the broker then corrects it with {@link RecordBatch#setMaxTimestamp}.
 * @param offsetOfMaxTimestamp the first offset with that timestamp, or -1 for an empty batch
 */
public record RecordsSummary(int recordCount, long uncompressedBytes, long maxTimestampMs, long offsetOfMaxTimestamp) {
    public RecordsSummary {
        if (recordCount < 0 || uncompressedBytes < 0) {
            throw new IllegalArgumentException(
                    "counts must not be negative: " + recordCount + ", " + uncompressedBytes);
        }
    }
}
