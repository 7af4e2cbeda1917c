package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A view of one record batch (version 2, "magic 2") in a buffer: its header fields, its checks, and the way to its records. No
 * byte is copied; an instance can be {@linkplain #wrap wrapped} round one batch after the other without allocating.
 *
 * <p>{@code docs/log-format.md} has the layout. The constants here are distances from the first byte of the batch. The base
 * offset and the leader epoch lie outside the checksum, so that the broker sets them in place; everything after the checksum is
 * as the writer built it.
 *
 * <p>The view uses absolute reads, so the buffer's position does not matter and never changes. Whoever owns the buffer must
 * leave the batch's bytes alone, and below the limit, while the view is in use. For one thread at a time.
 */
public final class RecordBatch {
    public static final int BASE_OFFSET = 0;
    public static final int LENGTH = 8;
    public static final int PARTITION_LEADER_EPOCH = 12;
    public static final int MAGIC = 16;
    public static final int CRC = 17;
    public static final int ATTRIBUTES = 21;
    public static final int LAST_OFFSET_DELTA = 23;
    public static final int BASE_TIMESTAMP = 27;
    public static final int MAX_TIMESTAMP = 35;
    public static final int PRODUCER_ID = 43;
    public static final int PRODUCER_EPOCH = 51;
    public static final int BASE_SEQUENCE = 53;
    public static final int RECORDS_COUNT = 57;
    /** Size of the header, and distance of the first record. */
    public static final int HEADER_SIZE = 61;
    /** Bytes that the length field does not count: the base offset and itself. */
    public static final int LOG_OVERHEAD = 12;

    /** The only version of the format that is read and written. */
    public static final byte MAGIC_V2 = 2;

    public static final long NO_PRODUCER_ID = -1;
    public static final short NO_PRODUCER_EPOCH = -1;
    public static final int NO_SEQUENCE = -1;
    public static final int NO_LEADER_EPOCH = -1;
    public static final long NO_TIMESTAMP = -1;

    static final int COMPRESSION_MASK = 0x07;
    static final int LOG_APPEND_TIME_FLAG = 0x08;
    static final int TRANSACTIONAL_FLAG = 0x10;
    static final int CONTROL_FLAG = 0x20;
    static final int DELETE_HORIZON_FLAG = 0x40;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NOTHING;
    private int position;
    private int sizeInBytes;

    /** A view of nothing, until {@link #wrap}. */
    public RecordBatch() {}

    /**
     * A view of the batch that starts at the absolute {@code position}.
     *
     * @throws CorruptBatchException see {@link #wrap}
     * @throws UnsupportedMagicException see {@link #wrap}
     */
    public static RecordBatch at(ByteBuffer buffer, int position) {
        return new RecordBatch().wrap(buffer, position);
    }

    /**
     * Points this view at the batch that starts at the absolute {@code position}, after a look at its structure: the length
     * lies within the buffer's limit, the version is 2. The content is not checked: see {@link #validate}.
     *
     * @return this
     * @throws CorruptBatchException if the length is impossible or runs over the limit, or the version is unknown
     * @throws UnsupportedMagicException if this is a message set of the old formats 0 or 1
     */
    public RecordBatch wrap(ByteBuffer buffer, int position) {
        this.sizeInBytes = BatchFraming.wholeBatchSize(buffer, position);
        this.buffer = buffer;
        this.position = position;
        return this;
    }

    /** The absolute index of the batch's first byte in {@link #buffer}. */
    public int position() {
        return position;
    }

    /** The buffer that this is a view of. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** A new buffer over exactly the bytes of this batch, sharing them. */
    public ByteBuffer slice() {
        return buffer.slice(position, sizeInBytes).order(ByteOrder.BIG_ENDIAN);
    }

    /** Offset of the first record that the writer put in; compaction may have removed it. */
    public long baseOffset() {
        return buffer.getLong(position + BASE_OFFSET);
    }

    /** Offset of the last record that the writer put in; compaction may have removed it. */
    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    /** The offset after {@link #lastOffset}. */
    public long nextOffset() {
        return lastOffset() + 1;
    }

    public int lastOffsetDelta() {
        return buffer.getInt(position + LAST_OFFSET_DELTA);
    }

    /** Header and records, in bytes; {@link #HEADER_SIZE} or more. */
    public int sizeInBytes() {
        return sizeInBytes;
    }

    /** Epoch of the leader that appended the batch, or {@link #NO_LEADER_EPOCH}. */
    public int partitionLeaderEpoch() {
        return buffer.getInt(position + PARTITION_LEADER_EPOCH);
    }

    public byte magic() {
        return buffer.get(position + MAGIC);
    }

    /** The checksum in the header, as an unsigned number. */
    public long crc() {
        return Integer.toUnsignedLong(buffer.getInt(position + CRC));
    }

    /** All attribute bits, as an unsigned number. */
    public int attributes() {
        return Short.toUnsignedInt(buffer.getShort(position + ATTRIBUTES));
    }

    /**
     * The codec of the records.
     *
     * @throws UnsupportedCompressionException if the attributes name a codec that does not exist
     */
    public Compression compression() {
        return Compression.forId(attributes() & COMPRESSION_MASK);
    }

    public TimestampType timestampType() {
        return (attributes() & LOG_APPEND_TIME_FLAG) == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
    }

    public boolean isTransactional() {
        return (attributes() & TRANSACTIONAL_FLAG) != 0;
    }

    /** Whether the records are for brokers and clients themselves (the end of a transaction), not for applications. */
    public boolean isControl() {
        return (attributes() & CONTROL_FLAG) != 0;
    }

    /** Whether the base timestamp is the time after which compaction removes the batch's tombstones. */
    public boolean hasDeleteHorizon() {
        return (attributes() & DELETE_HORIZON_FLAG) != 0;
    }

    /** What the timestamps of the records count from, in milliseconds since 1970. */
    public long baseTimestampMs() {
        return buffer.getLong(position + BASE_TIMESTAMP);
    }

    /** The largest timestamp of the records, in milliseconds since 1970, or {@link #NO_TIMESTAMP}. */
    public long maxTimestampMs() {
        return buffer.getLong(position + MAX_TIMESTAMP);
    }

    /** Id of an idempotent producer, or {@link #NO_PRODUCER_ID}. */
    public long producerId() {
        return buffer.getLong(position + PRODUCER_ID);
    }

    public boolean hasProducerId() {
        return producerId() > NO_PRODUCER_ID;
    }

    public short producerEpoch() {
        return buffer.getShort(position + PRODUCER_EPOCH);
    }

    /** Sequence number of the first record, or {@link #NO_SEQUENCE}. */
    public int baseSequence() {
        return buffer.getInt(position + BASE_SEQUENCE);
    }

    /** Sequence number of the last record, or {@link #NO_SEQUENCE}. After 2^31-1 comes 0. */
    public int lastSequence() {
        int base = baseSequence();
        return base == NO_SEQUENCE ? NO_SEQUENCE : Sequences.plus(base, lastOffsetDelta());
    }

    /** Number of records in the batch, less than the offsets it covers when compaction took some. */
    public int recordCount() {
        return buffer.getInt(position + RECORDS_COUNT);
    }

    /** Whether the checksum in the header is that of the bytes after it. Reads the whole batch. */
    public boolean isCrcValid() {
        return crc() == BatchFraming.computeCrc(buffer, position, sizeInBytes);
    }

    /**
     * Checks everything that can be checked without looking at the records: size, checksum, codec, counts, offsets, producer
     * id and sequence. Afterwards the header can be trusted as far as the writer can.
     *
     * @throws CorruptBatchException if the checksum is wrong
     * @throws BatchTooLargeException if the batch has more bytes than allowed
     * @throws UnsupportedCompressionException if the codec does not exist
     * @throws InvalidBatchException if header fields contradict each other, or break the rules for this origin
     */
    public void validate(BatchLimits limits) {
        BatchValidation.checkHeader(this, limits);
    }

    /**
     * Does what {@link #validate} does, and then walks all records: decompresses within the limits, checks that each record
     * lies within the batch, that their number is right, and that their offsets rise (by exactly one for a client's batch).
     * What passes here is read by {@link RecordCursor} without an exception.
     *
     * @return what the walk found
     * @throws CorruptBatchException if the checksum is wrong, or records are not where they should be
     * @throws BatchTooLargeException if the batch, or its records uncompressed, have more bytes than allowed
     * @throws UnsupportedCompressionException if the codec does not exist, or its library is missing
     * @throws InvalidBatchException if fields contradict each other, or break the rules for this origin
     */
    public RecordsSummary validateRecords(BatchLimits limits, BufferSupplier buffers) {
        BatchValidation.checkHeader(this, limits);
        return BatchValidation.walkRecords(this, limits, buffers);
    }

    /** {@link #validateRecords(BatchLimits, BufferSupplier)} with a buffer of its own. */
    public RecordsSummary validateRecords(BatchLimits limits) {
        return validateRecords(limits, BufferSupplier.allocating());
    }

    /** A cursor before the first record, with {@link DecompressionLimits#DEFAULT} and a buffer of its own. */
    public RecordCursor records() {
        return records(DecompressionLimits.DEFAULT, BufferSupplier.allocating());
    }

    /**
     * A cursor before the first record. Records that are not compressed are read where they are; compressed ones are
     * decompressed into a buffer of {@code buffers}, which {@link RecordCursor#close} gives back.
     *
     * @throws CorruptBatchException if the compressed data is damaged
     * @throws BatchTooLargeException if the records would take more than the limit uncompressed
     * @throws UnsupportedCompressionException if the codec does not exist, or its library is missing
     */
    public RecordCursor records(DecompressionLimits limits, BufferSupplier buffers) {
        return new RecordCursor().reset(this, limits, buffers);
    }

    /** Sets the base offset of the batch at {@code position}. It lies outside the checksum. */
    public static void setBaseOffset(ByteBuffer buffer, int position, long baseOffset) {
        if (baseOffset < 0) {
            throw new IllegalArgumentException("base offset must not be negative, is " + baseOffset);
        }
        buffer.putLong(position + BASE_OFFSET, baseOffset);
    }

    /** Sets the leader epoch of the batch at {@code position}. It lies outside the checksum. */
    public static void setPartitionLeaderEpoch(ByteBuffer buffer, int position, int leaderEpoch) {
        buffer.putInt(position + PARTITION_LEADER_EPOCH, leaderEpoch);
    }

    /**
     * Sets the largest timestamp and who set it, and computes the checksum anew. With {@link TimestampType#LOG_APPEND_TIME} all
     * records then have {@code maxTimestampMs} as their time. Does nothing when both are so already.
     *
     * @throws CorruptBatchException if there is no batch at {@code position}
     */
    public static void setMaxTimestamp(ByteBuffer buffer, int position, TimestampType type, long maxTimestampMs) {
        RecordBatch batch = at(buffer, position);
        if (batch.timestampType() == type && batch.maxTimestampMs() == maxTimestampMs) {
            return;
        }
        int flag = type == TimestampType.LOG_APPEND_TIME ? LOG_APPEND_TIME_FLAG : 0;
        buffer.putShort(position + ATTRIBUTES, (short) ((batch.attributes() & ~LOG_APPEND_TIME_FLAG) | flag));
        buffer.putLong(position + MAX_TIMESTAMP, maxTimestampMs);
        BatchFraming.writeCrc(buffer, position, batch.sizeInBytes);
    }

    /**
     * Sets producer id, epoch and first sequence number of a finished batch, and computes the checksum anew: a producer that
     * was given a new id or epoch stamps the batches that it has still to send.
     *
     * @throws CorruptBatchException if there is no batch at {@code position}
     */
    public static void setProducer(
            ByteBuffer buffer, int position, long producerId, short producerEpoch, int baseSequence) {
        RecordBatch batch = at(buffer, position);
        Sequences.checkProducer(producerId, producerEpoch, baseSequence);
        buffer.putLong(position + PRODUCER_ID, producerId);
        buffer.putShort(position + PRODUCER_EPOCH, producerEpoch);
        buffer.putInt(position + BASE_SEQUENCE, baseSequence);
        BatchFraming.writeCrc(buffer, position, batch.sizeInBytes);
    }

    @Override
    public String toString() {
        if (sizeInBytes == 0) {
            return "RecordBatch[none]";
        }
        return "RecordBatch[offsets " + baseOffset() + ".." + lastOffset() + ", " + recordCount() + " records, "
                + sizeInBytes
                + " bytes, epoch " + partitionLeaderEpoch() + ", attributes 0x" + Integer.toHexString(attributes())
                + ", producer " + producerId() + "/" + producerEpoch() + "/" + baseSequence() + "]";
    }
}
