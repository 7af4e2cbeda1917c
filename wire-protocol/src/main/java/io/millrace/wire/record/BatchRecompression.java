package io.millrace.wire.record;

import java.nio.ByteBuffer;

/** Stores the records of a batch under another codec. Nothing else of the batch changes. */
public final class BatchRecompression {
    private BatchRecompression() {}

    /**
     * Compresses a batch anew.
     *
     * @param batch validated
     * @param codec what it is to have
     * @param level how hard the codec tries, as the codec counts it; ignored by those that have no levels
     * @param limits how large the records may be, uncompressed and compressed
     * @return a batch of its own, between position 0 and limit
     * @throws BatchTooLargeException if it would be larger than allowed
     */
    public static ByteBuffer recompress(RecordBatch batch, Compression codec, int level, DecompressionLimits limits) {
        ByteBuffer records = batch.buffer()
                .slice(batch.position() + RecordBatch.HEADER_SIZE, batch.sizeInBytes() - RecordBatch.HEADER_SIZE);
        if (batch.compression() != Compression.NONE) {
            records = Codecs.decompress(batch.compression(), records, limits, BufferSupplier.allocating());
        }
        BoundedOutput target = new BoundedOutput(
                limits.maxBytes(),
                BufferSupplier.allocating(),
                RecordBatch.HEADER_SIZE + records.remaining() / 2 + 512);
        target.skip(RecordBatch.HEADER_SIZE);
        if (codec == Compression.NONE) {
            HeapBytes bytes = HeapBytes.of(records);
            target.write(bytes.array(), bytes.from(), bytes.size());
        } else {
            Codecs.compress(codec, level, records, target);
        }
        ByteBuffer result = target.toBuffer();
        result.put(0, batch.buffer(), batch.position(), RecordBatch.HEADER_SIZE);
        result.putInt(RecordBatch.LENGTH, result.limit() - RecordBatch.LOG_OVERHEAD);
        int attributes = (batch.attributes() & ~RecordBatch.COMPRESSION_MASK) | codec.id();
        result.putShort(RecordBatch.ATTRIBUTES, (short) attributes);
        BatchFraming.writeCrc(result, 0, result.limit());
        return result;
    }
}
