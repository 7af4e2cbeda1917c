package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The entry of the first format of a log: its length in 4 bytes (the value counts what follows: 1 + 4 + n, for a payload of n bytes), a magic
 * byte 0, the CRC-32 of the payload in 4 bytes, the payload. It has no offset: that is where the entry begins. Read and written for people and
 * their old files only.
 */
public final class FirstFormat {
    private static final int MAGIC_AT = 4;
    private static final int CRC_AT = 5;
    private static final int PAYLOAD_AT = 9;
    private static final int LENGTH_BESIDE_PAYLOAD = 5;

    private FirstFormat() {}

    /**
     * An entry.
     *
     * @param length as in its first field
     * @param crc checksum in the entry
     * @param crcValid whether that is the one of the payload
     * @param payload a slice
     */
    public record Entry(int length, int crc, boolean crcValid, ByteBuffer payload) {
        /** Size of the entry with its length field, in bytes. */
        public int sizeBytes() {
            return Integer.BYTES + length;
        }
    }

    /** The entry of a payload. The payload's position is not moved. */
    public static ByteBuffer encode(ByteBuffer payload) {
        ByteBuffer entry = ByteBuffer.allocate(PAYLOAD_AT + payload.remaining());
        entry.putInt(LENGTH_BESIDE_PAYLOAD + payload.remaining()).put((byte) 0).putInt(crcOf(payload));
        return entry.put(payload.duplicate()).flip();
    }

    /**
     * The entry that begins at an absolute position.
     *
     * @throws CorruptBatchException if none begins there, or it is cut short
     */
    public static Entry at(ByteBuffer buffer, int position) {
        int available = buffer.limit() - position;
        int length = available < PAYLOAD_AT ? -1 : buffer.getInt(position);
        boolean possible = length >= LENGTH_BESIDE_PAYLOAD
                && length <= available - Integer.BYTES
                && buffer.get(position + MAGIC_AT) == 0;
        if (!possible) {
            throw new CorruptBatchException("no entry of the first format begins at position " + position + ": "
                    + available + " bytes are there, and the length says " + length);
        }
        ByteBuffer payload = buffer.slice(position + PAYLOAD_AT, length - LENGTH_BESIDE_PAYLOAD);
        int crc = buffer.getInt(position + CRC_AT);
        return new Entry(length, crc, crc == crcOf(payload), payload);
    }

    private static int crcOf(ByteBuffer payload) {
        CRC32 sum = new CRC32();
        sum.update(payload.duplicate());
        return (int) sum.getValue();
    }
}
