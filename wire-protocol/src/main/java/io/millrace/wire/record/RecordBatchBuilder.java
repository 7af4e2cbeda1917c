package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one record batch after the other, reusing its buffers:
 *
 * <pre>{@code
 * RecordBatchBuilder builder = new RecordBatchBuilder(64 * 1024, 1_000_000).compression(Compression.LZ4);
 * builder.tryAppend(nowMs, key, value, headers);
 * builder.producer(id, epoch, sequence);
 * ByteBuffer batch = builder.build();
 * // send or copy the batch, then
 * builder.reset();
 * }</pre>
 *
 * <p>A batch is full when its records, uncompressed, would take more than the target size. The first record may be larger than
 * that, up to the hard limit, which no batch exceeds. Offsets count from the base offset without gaps. Producer id, epoch, sequence
 * and base offset may be set at any time before {@link #build}, and again for another {@code build} of the same records. For one
 * thread at a time.
 */
public final class RecordBatchBuilder {
    private static final int INITIAL_BYTES = 1024;
    private static final List<RecordHeader> NO_HEADERS = List.of();

    private final int targetBytes;
    private final int maxBytes;
    private final CompressedBatch compressed;

    private Compression compression = Compression.NONE;
    private long baseOffset;
    private int partitionLeaderEpoch = RecordBatch.NO_LEADER_EPOCH;
    private long producerId = RecordBatch.NO_PRODUCER_ID;
    private short producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
    private int baseSequence = RecordBatch.NO_SEQUENCE;
    private boolean transactional;

    /** Header, then the records uncompressed; the position is where the next record goes. */
    private ByteBuffer buffer;

    private int recordCount;
    private long baseTimestampMs;
    private long maxTimestampMs;
    private boolean control;
    private boolean closed;

    /**
     * Makes a builder for batches without compression.
     *
     * @param targetBytes a batch with records takes no more when it would be larger than this, uncompressed and with its header
     * @param maxBytes no batch is larger than this, not even of one record; at least {@code targetBytes}
     */
    public RecordBatchBuilder(int targetBytes, int maxBytes) {
        if (targetBytes < RecordBatch.HEADER_SIZE || maxBytes < targetBytes) {
            throw new IllegalArgumentException("sizes must be " + RecordBatch.HEADER_SIZE
                    + " <= targetBytes <= maxBytes, are " + targetBytes + " and " + maxBytes);
        }
        this.targetBytes = targetBytes;
        this.maxBytes = maxBytes;
        this.compressed = new CompressedBatch(maxBytes);
        this.buffer = ByteBuffer.allocate(Math.min(targetBytes, INITIAL_BYTES));
        reset();
    }

    /**
     * Chooses the codec of this batch and the following ones.
     *
     * @throws IllegalStateException after the first record, or the batch was built
     */
    public RecordBatchBuilder compression(Compression compression) {
        if (recordCount > 0) {
            throw new IllegalStateException("the batch already has records: set the compression before the first");
        }
        this.compression = compression;
        return this;
    }

    /** Sets the offset of the first record, 0 unless set. Producers leave it: the broker sets it in place. */
    public RecordBatchBuilder baseOffset(long baseOffset) {
        if (baseOffset < 0) {
            throw new IllegalArgumentException("base offset must not be negative, is " + baseOffset);
        }
        this.baseOffset = baseOffset;
        return this;
    }

    /** Sets the leader epoch, -1 (none) unless set. Producers leave it: the broker sets it in place. */
    public RecordBatchBuilder partitionLeaderEpoch(int partitionLeaderEpoch) {
        this.partitionLeaderEpoch = partitionLeaderEpoch;
        return this;
    }

    /**
     * Makes this batch one of an idempotent producer.
     *
     * @param producerId 0 or more; or -1 with epoch and sequence -1, for none
     * @param producerEpoch 0 or more
     * @param baseSequence sequence number of the first record, 0 or more; -1 in a control batch
     */
    public RecordBatchBuilder producer(long producerId, short producerEpoch, int baseSequence) {
        Sequences.checkProducer(producerId, producerEpoch, baseSequence);
        this.producerId = producerId;
        this.producerEpoch = producerEpoch;
        this.baseSequence = baseSequence;
        return this;
    }

    /** Makes this batch part of its producer's transaction, or not (the default). */
    public RecordBatchBuilder transactional(boolean transactional) {
        this.transactional = transactional;
        return this;
    }

    /** {@link #tryAppend(long, byte[], byte[], List)} without headers. */
    public boolean tryAppend(long timestampMs, byte @Nullable [] key, byte @Nullable [] value) {
        return tryAppend(timestampMs, key, value, NO_HEADERS);
    }

    /**
     * Adds a record.
     *
     * @param timestampMs milliseconds since 1970
     * @param key {@code null} differs from empty
     * @param value {@code null} differs from empty
     * @return false if the batch has records and is full, in which case nothing was added
     * @throws BatchTooLargeException if no batch can take this record
     * @throws IllegalStateException if the batch was built, or is a control batch
     */
    public boolean tryAppend(
            long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<RecordHeader> headers) {
        int keySize = key == null ? -1 : key.length;
        int valueSize = value == null ? -1 : value.length;
        if (!begin(timestampMs, keySize, valueSize, headers)) {
            return false;
        }
        Varints.writeInt(keySize, buffer);
        if (key != null) {
            buffer.put(key);
        }
        Varints.writeInt(valueSize, buffer);
        if (value != null) {
            buffer.put(value);
        }
        finish(timestampMs, headers);
        return true;
    }

    /**
     * Adds a record whose key and value are what remains in two buffers, whose positions stay. Otherwise as
     * {@link #tryAppend(long, byte[], byte[], List)}.
     */
    public boolean tryAppend(
            long timestampMs, @Nullable ByteBuffer key, @Nullable ByteBuffer value, List<RecordHeader> headers) {
        int keySize = key == null ? -1 : key.remaining();
        int valueSize = value == null ? -1 : value.remaining();
        if (!begin(timestampMs, keySize, valueSize, headers)) {
            return false;
        }
        Varints.writeInt(keySize, buffer);
        if (key != null) {
            putRemaining(key);
        }
        Varints.writeInt(valueSize, buffer);
        if (value != null) {
            putRemaining(value);
        }
        finish(timestampMs, headers);
        return true;
    }

    /**
     * Makes this batch the control batch that ends a transaction. It takes no other record, no compression and no sequence; the
     * producer id and epoch of the transaction must be set before {@link #build}.
     *
     * @throws IllegalStateException if the batch has records, or a compression is set
     */
    public RecordBatchBuilder appendEndTransaction(long timestampMs, EndTransactionMarker marker) {
        if (recordCount > 0 || compression != Compression.NONE) {
            throw new IllegalStateException("an end of transaction needs an empty, uncompressed batch; this one has "
                    + recordCount + " records and compression " + compression);
        }
        if (!tryAppend(timestampMs, marker.encodedKey(), marker.encodedValue())) {
            throw new IllegalStateException("an empty batch takes a record");
        }
        control = true;
        transactional = true;
        return this;
    }

    public boolean isEmpty() {
        return recordCount == 0;
    }

    public int recordCount() {
        return recordCount;
    }

    /** Size that the batch would have now without compression, in bytes. */
    public int uncompressedSizeInBytes() {
        return buffer.position();
    }

    /**
     * Finishes the batch. It takes no more records afterwards; a second call with another producer, base offset or epoch gives the
     * same records under the new header.
     *
     * @return the batch, between position 0 and limit, in this builder's own memory: valid until {@link #reset}
     * @throws IllegalStateException if the batch has no records, or is transactional without a producer id
     */
    public ByteBuffer build() {
        checkReadyToBuild();
        closed = true;
        ByteBuffer batch = buffer.duplicate().flip();
        Compression used = compression;
        if (compression != Compression.NONE) {
            ByteBuffer smaller = compressed.of(compression, batch.slice(RecordBatch.HEADER_SIZE, recordsBytes()));
            if (smaller == null) {
                used = Compression.NONE;
            } else {
                batch = smaller;
            }
        }
        writeHeader(batch, used);
        return batch;
    }

    private void checkReadyToBuild() {
        if (recordCount == 0) {
            throw new IllegalStateException("a batch without records cannot be built");
        }
        if (transactional && producerId == RecordBatch.NO_PRODUCER_ID) {
            throw new IllegalStateException("a transactional batch needs a producer id");
        }
        boolean sequenceNeeded = producerId != RecordBatch.NO_PRODUCER_ID && !control;
        if (sequenceNeeded != (baseSequence != RecordBatch.NO_SEQUENCE)) {
            throw new IllegalStateException(
                    control
                            ? "a control batch has no sequence, but " + baseSequence + " is set"
                            : "a batch of producer " + producerId + " needs the sequence of its first record");
        }
    }

    private void writeHeader(ByteBuffer batch, Compression used) {
        int size = batch.limit();
        int attributes = used.id()
                | (transactional ? RecordBatch.TRANSACTIONAL_FLAG : 0)
                | (control ? RecordBatch.CONTROL_FLAG : 0);
        batch.putLong(RecordBatch.BASE_OFFSET, baseOffset);
        batch.putInt(RecordBatch.LENGTH, size - RecordBatch.LOG_OVERHEAD);
        batch.putInt(RecordBatch.PARTITION_LEADER_EPOCH, partitionLeaderEpoch);
        batch.put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2);
        batch.putShort(RecordBatch.ATTRIBUTES, (short) attributes);
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA, recordCount - 1);
        batch.putLong(RecordBatch.BASE_TIMESTAMP, baseTimestampMs);
        batch.putLong(RecordBatch.MAX_TIMESTAMP, maxTimestampMs);
        batch.putLong(RecordBatch.PRODUCER_ID, producerId);
        batch.putShort(RecordBatch.PRODUCER_EPOCH, producerEpoch);
        batch.putInt(RecordBatch.BASE_SEQUENCE, baseSequence);
        batch.putInt(RecordBatch.RECORDS_COUNT, recordCount);
        BatchFraming.writeCrc(batch, 0, size);
    }

    /**
     * Starts the next batch in the same memory: what {@link #build} answered before is no longer valid. Compression stays; base
     * offset, leader epoch, producer and flags go back to what they are unless set.
     *
     * @return this
     */
    public RecordBatchBuilder reset() {
        if (buffer.capacity() > targetBytes) {
            // It was needed for one outsized record. Keeping it would hold that much memory for good.
            buffer = ByteBuffer.allocate(Math.min(targetBytes, INITIAL_BYTES));
        }
        buffer.clear().position(RecordBatch.HEADER_SIZE);
        compressed.reset(targetBytes);
        baseOffset = 0;
        partitionLeaderEpoch = RecordBatch.NO_LEADER_EPOCH;
        producerId = RecordBatch.NO_PRODUCER_ID;
        producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
        baseSequence = RecordBatch.NO_SEQUENCE;
        transactional = false;
        recordCount = 0;
        baseTimestampMs = RecordBatch.NO_TIMESTAMP;
        maxTimestampMs = RecordBatch.NO_TIMESTAMP;
        control = false;
        closed = false;
        return this;
    }

    /** Writes the record up to its offset, or answers false when it does not fit. */
    private boolean begin(long timestampMs, int keySize, int valueSize, List<RecordHeader> headers) {
        if (closed || control) {
            throw new IllegalStateException(
                    closed ? "the batch is built: reset first" : "a control batch takes no other record");
        }
        long timestampDelta = recordCount == 0 ? 0 : timestampMs - baseTimestampMs;
        long body = bodySize(timestampDelta, keySize, valueSize, headers);
        long needed = body + Varints.MAX_INT_BYTES;
        if (body <= maxBytes) {
            needed = body + Varints.sizeOfInt((int) body);
        }
        if (recordCount > 0 && buffer.position() + needed > targetBytes) {
            return false;
        }
        if (buffer.position() + needed > maxBytes) {
            throw new BatchTooLargeException("record of " + needed + " bytes does not fit a batch of at most "
                    + maxBytes + " bytes, " + RecordBatch.HEADER_SIZE + " of which are its header");
        }
        ensureRoom((int) needed);
        if (recordCount == 0) {
            baseTimestampMs = timestampMs;
        }
        Varints.writeInt((int) body, buffer);
        buffer.put((byte) 0);
        Varints.writeLong(timestampDelta, buffer);
        Varints.writeInt(recordCount, buffer);
        return true;
    }

    private void finish(long timestampMs, List<RecordHeader> headers) {
        Varints.writeInt(headers.size(), buffer);
        for (int i = 0; i < headers.size(); i++) {
            RecordHeader header = headers.get(i);
            Varints.writeInt(HeaderNames.sizeInBytes(header.name()), buffer);
            HeaderNames.put(header.name(), buffer);
            byte[] value = header.value();
            Varints.writeInt(value == null ? -1 : value.length, buffer);
            if (value != null) {
                buffer.put(value);
            }
        }
        maxTimestampMs = recordCount == 0 ? timestampMs : Math.max(maxTimestampMs, timestampMs);
        recordCount++;
    }

    private long bodySize(long timestampDelta, int keySize, int valueSize, List<RecordHeader> headers) {
        long size = 1L + Varints.sizeOfLong(timestampDelta) + Varints.sizeOfInt(recordCount);
        size += fieldSize(keySize) + fieldSize(valueSize) + Varints.sizeOfInt(headers.size());
        for (int i = 0; i < headers.size(); i++) {
            RecordHeader header = headers.get(i);
            byte[] value = header.value();
            size += fieldSize(HeaderNames.sizeInBytes(header.name())) + fieldSize(value == null ? -1 : value.length);
        }
        return size;
    }

    private static long fieldSize(int size) {
        return Varints.sizeOfInt(size) + (long) Math.max(0, size);
    }

    private int recordsBytes() {
        return buffer.position() - RecordBatch.HEADER_SIZE;
    }

    private void putRemaining(ByteBuffer source) {
        int at = buffer.position();
        buffer.put(at, source, source.position(), source.remaining()).position(at + source.remaining());
    }

    private void ensureRoom(int bytes) {
        int needed = buffer.position() + bytes;
        if (needed <= buffer.capacity()) {
            return;
        }
        long doubled = Math.min(buffer.capacity() * 2L, targetBytes);
        ByteBuffer larger = ByteBuffer.allocate((int) Math.max(needed, doubled));
        larger.put(buffer.flip());
        buffer = larger;
    }
}
