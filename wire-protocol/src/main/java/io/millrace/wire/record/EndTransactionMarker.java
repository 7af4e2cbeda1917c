package io.millrace.wire.record;

import java.nio.ByteBuffer;

/**
 * The record that ends a transaction in a partition, alone in its control batch: which way it ended, under which epoch of the
 * transaction coordinator. Key: version {@code int16} 0, type {@code int16}; value: version {@code int16} 0, coordinator epoch
 * {@code int32}.
 *
 * @param type {@link ControlRecordType#COMMIT} or {@link ControlRecordType#ABORT}
 * @param coordinatorEpoch leader epoch of the coordinator that decided, 0 or more
 */
public record EndTransactionMarker(ControlRecordType type, int coordinatorEpoch) {
    private static final short VERSION = 0;
    private static final int KEY_BYTES = Short.BYTES + Short.BYTES;
    private static final int VALUE_BYTES = Short.BYTES + Integer.BYTES;

    public EndTransactionMarker {
        if (type != ControlRecordType.COMMIT && type != ControlRecordType.ABORT) {
            throw new IllegalArgumentException("a transaction ends with COMMIT or ABORT, not with " + type);
        }
    }

    public static EndTransactionMarker commit(int coordinatorEpoch) {
        return new EndTransactionMarker(ControlRecordType.COMMIT, coordinatorEpoch);
    }

    public static EndTransactionMarker abort(int coordinatorEpoch) {
        return new EndTransactionMarker(ControlRecordType.ABORT, coordinatorEpoch);
    }

    /**
     * Type of the control record under the cursor. Versions of the key above 0 are read as version 0, whose fields they keep.
     *
     * @throws CorruptBatchException if the key is shorter than a version and a type
     */
    public static ControlRecordType typeOf(RecordCursor cursor) {
        ByteBuffer key = cursor.key();
        if (key == null || key.remaining() < KEY_BYTES || key.getShort(0) < 0) {
            throw new CorruptBatchException("control record at offset " + cursor.offset()
                    + " has no readable key (version and type, 4 bytes): " + cursor.keySize() + " bytes");
        }
        return ControlRecordType.forId(key.getShort(Short.BYTES));
    }

    /**
     * Reads the marker under the cursor.
     *
     * @throws CorruptBatchException if the record is no COMMIT or ABORT marker, or is cut short
     */
    public static EndTransactionMarker readFrom(RecordCursor cursor) {
        ControlRecordType type = typeOf(cursor);
        ByteBuffer value = cursor.value();
        if (type != ControlRecordType.COMMIT && type != ControlRecordType.ABORT) {
            throw new CorruptBatchException(
                    "control record at offset " + cursor.offset() + " is no end of a transaction but " + type);
        }
        if (value == null || value.remaining() < VALUE_BYTES || value.getShort(0) < 0) {
            throw new CorruptBatchException(type + " marker at offset " + cursor.offset()
                    + " has no readable value (version and epoch, 6 bytes): " + cursor.valueSize() + " bytes");
        }
        return new EndTransactionMarker(type, value.getInt(Short.BYTES));
    }

    byte[] encodedKey() {
        return ByteBuffer.allocate(KEY_BYTES)
                .putShort(VERSION)
                .putShort(type.id())
                .array();
    }

    byte[] encodedValue() {
        return ByteBuffer.allocate(VALUE_BYTES)
                .putShort(VERSION)
                .putInt(coordinatorEpoch)
                .array();
    }
}
