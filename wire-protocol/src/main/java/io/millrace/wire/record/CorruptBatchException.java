package io.millrace.wire.record;

/**
 * The bytes are not a whole, undamaged record batch: wrong checksum, impossible length, record that runs over the end of its
 * batch, varint that does not end, compressed data that does not decompress.
 *
 * <p>A retry with the same bytes fails in the same way. Nothing has been stored when an append ends with this.
 */
public final class CorruptBatchException extends RecordFormatException {
    public CorruptBatchException(String message) {
        super(message);
    }

    public CorruptBatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
