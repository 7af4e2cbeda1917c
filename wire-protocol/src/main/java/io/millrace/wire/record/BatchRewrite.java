package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Takes records out of a batch, as compaction does: offsets, producer and everything else of the batch stay. What is left is smaller by the
 * records, and covers the same offsets.
 */
public final class BatchRewrite {
    private BatchRewrite() {}

    /**
     * What is left of a batch.
     *
     * @param batch a batch of its own, between position 0 and limit; the same bytes as before if nothing changed
     * @param records how many records are left, at least one
     * @param changed whether it is another batch than before
     */
    public record Rest(ByteBuffer batch, int records, boolean changed) {}

    /**
     * Takes out the records that are not to be kept.
     *
     * @param batch validated
     * @param keeps whether to keep the record that a cursor is on
     * @param deleteHorizonMs a delete horizon (KIP-534) that the batch gets, in ms since 1970, if it is to have one and has none yet
     * @param limits how large the records may be, uncompressed and compressed
     * @return the rest, or empty if no record is kept
     */
    public static Optional<Rest> keep(
            RecordBatch batch,
            Predicate<RecordCursor> keeps,
            OptionalLong deleteHorizonMs,
            DecompressionLimits limits) {
        boolean newHorizon = deleteHorizonMs.isPresent() && !batch.hasDeleteHorizon();
        long baseTimestampMs = newHorizon ? deleteHorizonMs.getAsLong() : batch.baseTimestampMs();
        long maxTimestampMs = RecordBatch.NO_TIMESTAMP;
        int kept = 0;
        BoundedOutput records = new BoundedOutput(
                limits.maxBytes(), BufferSupplier.allocating(), batch.sizeInBytes() + RecordBatch.HEADER_SIZE);
        records.skip(RecordBatch.HEADER_SIZE);
        try (RecordCursor cursor = batch.records(limits, BufferSupplier.allocating())) {
            while (cursor.next()) {
                if (keeps.test(cursor)) {
                    kept++;
                    maxTimestampMs = Math.max(maxTimestampMs, cursor.timestampMs());
                    write(cursor, batch, baseTimestampMs, records);
                }
            }
        }
        if (kept == 0) {
            return Optional.empty();
        }
        if (kept == batch.recordCount() && !newHorizon) {
            return Optional.of(new Rest(batch.slice(), kept, false));
        }
        ByteBuffer result = compressed(batch.compression(), records.toBuffer(), limits);
        int attributes = newHorizon ? batch.attributes() | RecordBatch.DELETE_HORIZON_FLAG : batch.attributes();
        writeHeader(result, batch, attributes, kept);
        result.putLong(RecordBatch.BASE_TIMESTAMP, baseTimestampMs);
        if (batch.timestampType() == TimestampType.CREATE_TIME) {
            result.putLong(RecordBatch.MAX_TIMESTAMP, maxTimestampMs);
        }
        BatchFraming.writeCrc(result, 0, result.limit());
        return Optional.of(new Rest(result, kept, true));
    }

    /**
     * A batch without its records: what tells that its producer wrote it, and which offsets it covers. It is part of no transaction any more:
     * the end of its own may go before it does, and whoever reads the log anew must not find that one open.
     */
    public static ByteBuffer withoutRecords(RecordBatch batch) {
        ByteBuffer result = ByteBuffer.allocate(RecordBatch.HEADER_SIZE);
        int flags = RecordBatch.COMPRESSION_MASK | RecordBatch.TRANSACTIONAL_FLAG;
        writeHeader(result, batch, batch.attributes() & ~flags, 0);
        BatchFraming.writeCrc(result, 0, result.limit());
        return result;
    }

    /**
     * A batch without records and without a producer, which stands for offsets of which nothing is left: so that a log has no gaps.
     *
     * @param baseOffset first offset, 0 or more
     * @param lastOffset last offset, less than 2^31 above the first
     * @param leaderEpoch epoch of those offsets
     */
    public static ByteBuffer placeholder(long baseOffset, long lastOffset, int leaderEpoch) {
        ByteBuffer result = ByteBuffer.allocate(RecordBatch.HEADER_SIZE);
        result.putLong(RecordBatch.BASE_OFFSET, baseOffset)
                .putInt(RecordBatch.LENGTH, RecordBatch.HEADER_SIZE - RecordBatch.LOG_OVERHEAD)
                .putInt(RecordBatch.PARTITION_LEADER_EPOCH, leaderEpoch)
                .put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2)
                .putInt(RecordBatch.LAST_OFFSET_DELTA, Math.toIntExact(lastOffset - baseOffset))
                .putLong(RecordBatch.BASE_TIMESTAMP, RecordBatch.NO_TIMESTAMP)
                .putLong(RecordBatch.MAX_TIMESTAMP, RecordBatch.NO_TIMESTAMP)
                .putLong(RecordBatch.PRODUCER_ID, RecordBatch.NO_PRODUCER_ID)
                .putShort(RecordBatch.PRODUCER_EPOCH, RecordBatch.NO_PRODUCER_EPOCH)
                .putInt(RecordBatch.BASE_SEQUENCE, RecordBatch.NO_SEQUENCE);
        BatchFraming.writeCrc(result, 0, result.limit());
        return result;
    }

    private static void writeHeader(ByteBuffer target, RecordBatch batch, int attributes, int records) {
        target.put(0, batch.buffer(), batch.position(), RecordBatch.HEADER_SIZE);
        target.putInt(RecordBatch.LENGTH, target.limit() - RecordBatch.LOG_OVERHEAD);
        target.putShort(RecordBatch.ATTRIBUTES, (short) attributes);
        target.putInt(RecordBatch.RECORDS_COUNT, records);
    }

    /** Header room, then the records, of which {@code plain} has the latter uncompressed. */
    private static ByteBuffer compressed(Compression codec, ByteBuffer plain, DecompressionLimits limits) {
        if (codec == Compression.NONE) {
            return plain;
        }
        BoundedOutput target =
                new BoundedOutput(limits.maxBytes(), BufferSupplier.allocating(), plain.remaining() / 2 + 512);
        target.skip(RecordBatch.HEADER_SIZE);
        Codecs.compress(codec, plain.slice(RecordBatch.HEADER_SIZE, plain.limit() - RecordBatch.HEADER_SIZE), target);
        return target.toBuffer();
    }

    /** The record as it was, but for a time that counts from somewhere else. */
    private static void write(RecordCursor cursor, RecordBatch batch, long baseTimestampMs, BoundedOutput target) {
        HeapBytes raw = HeapBytes.of(cursor.rawRecord());
        if (baseTimestampMs == batch.baseTimestampMs()) {
            target.write(raw.array(), raw.from(), raw.size());
            return;
        }
        ByteBuffer old = ByteBuffer.wrap(raw.array(), raw.from(), raw.size());
        Varints.readInt(old);
        byte attributes = old.get();
        long delta = batch.baseTimestampMs() + Varints.readLong(old) - baseTimestampMs;
        int bodyBytes = 1 + Varints.sizeOfLong(delta) + old.remaining();
        ByteBuffer head = ByteBuffer.allocate(Varints.MAX_INT_BYTES + 1 + Varints.MAX_LONG_BYTES);
        Varints.writeInt(bodyBytes, head);
        head.put(attributes);
        Varints.writeLong(delta, head);
        target.write(head.array(), 0, head.position());
        target.write(old.array(), old.arrayOffset() + old.position(), old.remaining());
    }
}
