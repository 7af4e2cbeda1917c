package io.millrace.wire.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;

/** Bytes in and out of buffers. */
final class TestBytes {
    private TestBytes() {}

    static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    /** What remains in the buffer, whose position stays. */
    static byte[] copy(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return copy;
    }

    /** The same bytes outside the heap, at an odd position. */
    static ByteBuffer direct(ByteBuffer buffer) {
        ByteBuffer direct = ByteBuffer.allocateDirect(buffer.remaining() + 6);
        return direct.position(3).put(buffer.duplicate()).flip().position(3);
    }

    static List<Record> records(RecordBatch batch) {
        try (RecordCursor cursor = batch.records()) {
            return cursor.toList();
        }
    }
}
