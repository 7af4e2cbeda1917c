package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (Castagnoli, RFC 3720 appendix B.4) of a range of a buffer, as an unsigned number in a {@code long}. */
public final class Crc32c {
    private Crc32c() {}

    /**
     * Computes the checksum of {@code sizeBytes} bytes from the absolute {@code index}. Position and limit of the buffer stay
     * as they are.
     *
     * @throws IndexOutOfBoundsException if the range is not below the buffer's limit
     */
    public static long of(ByteBuffer buffer, int index, int sizeBytes) {
        CRC32C crc = new CRC32C();
        if (buffer.hasArray()) {
            java.util.Objects.checkFromIndexSize(index, sizeBytes, buffer.limit());
            crc.update(buffer.array(), buffer.arrayOffset() + index, sizeBytes);
        } else {
            crc.update(buffer.slice(index, sizeBytes));
        }
        return crc.getValue();
    }
}
