package io.millrace.wire.record;

import io.millrace.wire.record.BatchLimits.Origin;

/** The rules that {@link RecordBatch#validate} and {@link RecordBatch#validateRecords} apply. */
final class BatchValidation {
    private BatchValidation() {}

    static void checkHeader(RecordBatch batch, BatchLimits limits) {
        if (batch.sizeInBytes() > limits.maxBatchBytes()) {
            throw new BatchTooLargeException("batch of " + batch.sizeInBytes() + " bytes is over the limit of "
                    + limits.maxBatchBytes() + " bytes; send fewer or smaller messages per batch, or raise the limit");
        }
        // Before anything else in the header is believed, or blamed on the writer.
        if (!batch.isCrcValid()) {
            throw new CorruptBatchException("batch with base offset " + batch.baseOffset() + " and "
                    + batch.sizeInBytes()
                    + " bytes is damaged: checksum " + Long.toHexString(batch.crc()) + " in the header, "
                    + Long.toHexString(BatchFraming.computeCrc(batch.buffer(), batch.position(), batch.sizeInBytes()))
                    + " of the bytes");
        }
        Compression compression = batch.compression();
        checkOffsets(batch);
        checkCounts(batch, limits.origin());
        checkSizeAgainstCount(batch, compression);
        checkProducer(batch, limits.origin());
    }

    static RecordsSummary walkRecords(RecordBatch batch, BatchLimits limits, BufferSupplier buffers) {
        boolean dense = limits.origin() == Origin.CLIENT;
        long expected = batch.baseOffset();
        long lastOffset = batch.lastOffset();
        long maxTimestampMs = RecordBatch.NO_TIMESTAMP;
        long offsetOfMaxTimestamp = -1;
        try (RecordCursor cursor = batch.records(limits.decompression(), buffers)) {
            while (cursor.next()) {
                long offset = cursor.offset();
                // The cursor itself refuses offsets that do not rise.
                if (dense ? offset != expected : offset > lastOffset) {
                    throw new InvalidBatchException("record has offset " + offset + " where "
                            + (dense ? expected + " must be" : lastOffset + " is the last of its batch"));
                }
                expected++;
                if (cursor.headerCount() > limits.maxHeadersPerRecord()) {
                    throw new InvalidBatchException("record at offset " + offset + " has " + cursor.headerCount()
                            + " headers, more than the limit of " + limits.maxHeadersPerRecord());
                }
                if (offsetOfMaxTimestamp < 0 || cursor.timestampMs() > maxTimestampMs) {
                    maxTimestampMs = cursor.timestampMs();
                    offsetOfMaxTimestamp = offset;
                }
            }
            return new RecordsSummary(
                    batch.recordCount(), cursor.totalSizeInBytes(), maxTimestampMs, offsetOfMaxTimestamp);
        }
    }

    private static void checkOffsets(RecordBatch batch) {
        long baseOffset = batch.baseOffset();
        int delta = batch.lastOffsetDelta();
        // nextOffset() must fit as well.
        if (baseOffset < 0 || delta < 0 || baseOffset > Long.MAX_VALUE - delta - 1L) {
            throw new InvalidBatchException("batch has base offset " + baseOffset + " and last offset delta " + delta
                    + ", which are no offsets");
        }
    }

    private static void checkCounts(RecordBatch batch, Origin origin) {
        int count = batch.recordCount();
        long covered = batch.lastOffsetDelta() + 1L;
        boolean right = origin == Origin.CLIENT ? count == covered : count >= 0 && count <= covered;
        if (!right) {
            throw new InvalidBatchException(
                    "batch says it has " + count + " records, and covers " + covered + " offsets");
        }
        if (origin == Origin.CLIENT && batch.isControl()) {
            throw new InvalidBatchException("clients may not write control batches");
        }
    }

    private static void checkSizeAgainstCount(RecordBatch batch, Compression compression) {
        long bytes = batch.sizeInBytes() - (long) RecordBatch.HEADER_SIZE;
        int count = batch.recordCount();
        boolean impossible = compression == Compression.NONE
                ? bytes < (long) count * RecordCursor.SHORTEST_RECORD_BYTES
                : bytes == 0 && count > 0;
        if (impossible) {
            throw new InvalidBatchException("batch says it has " + count + " records in " + bytes + " bytes");
        }
    }

    private static void checkProducer(RecordBatch batch, Origin origin) {
        long id = batch.producerId();
        short epoch = batch.producerEpoch();
        int sequence = batch.baseSequence();
        boolean consistent;
        if (id == RecordBatch.NO_PRODUCER_ID) {
            // Epoch and sequence mean nothing then, and several clients (sarama, kafkajs) leave 0 there instead of -1.
            consistent = !batch.isTransactional();
        } else {
            // Markers carry id and epoch of their transaction, and no sequence.
            boolean sequenceNeeded = origin == Origin.CLIENT || !batch.isControl();
            consistent = id >= 0 && epoch >= 0 && sequence >= (sequenceNeeded ? 0 : RecordBatch.NO_SEQUENCE);
        }
        if (!consistent) {
            throw new InvalidBatchException("batch has producer id " + id + ", epoch " + epoch + ", base sequence "
                    + sequence + (batch.isTransactional() ? " and is transactional" : "")
                    + ", which contradict each other");
        }
    }
}
