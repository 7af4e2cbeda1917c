package io.millrace.wire.record;

/**
 * What {@link RecordBatch#validate} and {@link RecordBatch#validateRecords} accept.
 *
 * @param origin who wrote the batch: rules for clients are stricter than for what the log already holds
 * @param maxBatchBytes largest batch, header included, in bytes; at least {@link RecordBatch#HEADER_SIZE}
 * @param decompression largest sum of the uncompressed records
 * @param maxHeadersPerRecord most headers of one record; a header takes as little as two bytes, so that without a bound a
 *     record of a few megabytes would become millions of objects in a consumer
 */
public record BatchLimits(
        Origin origin, int maxBatchBytes, DecompressionLimits decompression, int maxHeadersPerRecord) {
    /** Enough for anything sane; Kafka has no limit of its own. */
    public static final int DEFAULT_MAX_HEADERS_PER_RECORD = 65_535;

    /** Who wrote the batch. */
    public enum Origin {
        /** A producer: offsets without gaps, at least one record, no control records. */
        CLIENT,
        /** The broker itself, or a log (replication, recovery): gaps and empty batches left by compaction are fine. */
        LOG
    }

    public BatchLimits {
        if (maxBatchBytes < RecordBatch.HEADER_SIZE) {
            throw new IllegalArgumentException(
                    "maxBatchBytes must be at least " + RecordBatch.HEADER_SIZE + ", is " + maxBatchBytes);
        }
        if (maxHeadersPerRecord < 0) {
            throw new IllegalArgumentException("maxHeadersPerRecord must not be negative, is " + maxHeadersPerRecord);
        }
    }

    /** Rules for what a producer sends; compressed batches may grow to the larger of {@code maxBatchBytes} and 64 MiB. */
    public static BatchLimits forClient(int maxBatchBytes) {
        return of(Origin.CLIENT, maxBatchBytes);
    }

    /** Rules for what a log holds or the broker wrote itself. */
    public static BatchLimits forLog(int maxBatchBytes) {
        return of(Origin.LOG, maxBatchBytes);
    }

    private static BatchLimits of(Origin origin, int maxBatchBytes) {
        int decompressed = Math.max(maxBatchBytes, DecompressionLimits.DEFAULT.maxBytes());
        return new BatchLimits(
                origin, maxBatchBytes, new DecompressionLimits(decompressed), DEFAULT_MAX_HEADERS_PER_RECORD);
    }
}
