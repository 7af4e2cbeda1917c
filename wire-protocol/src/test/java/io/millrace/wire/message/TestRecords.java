package io.millrace.wire.message;

import io.millrace.wire.record.Record;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records as they come out of a log, for the tests of this package. */
final class TestRecords {
    static final UUID LOG = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    static final RecordOrigin TEXT_ORIGIN = new RecordOrigin(LOG, 3, BodyDefault.TEXT);
    static final RecordOrigin BYTES_ORIGIN = new RecordOrigin(LOG, 3, BodyDefault.BYTES);
    static final long BASE_OFFSET = 40;

    private TestRecords() {}

    /** Encodes the messages into one batch, at offsets from {@link #BASE_OFFSET} on, and goes to the first. */
    static RecordCursor throughBatch(Message... messages) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 26);
        for (Message message : messages) {
            if (!MessageRecords.encode(message).tryAppendTo(builder)) {
                throw new IllegalStateException("the batch is full");
            }
        }
        RecordCursor cursor =
                RecordBatch.at(builder.baseOffset(BASE_OFFSET).build(), 0).records();
        cursor.next();
        return cursor;
    }

    static Message roundTrip(Message message) {
        return MessageRecords.read(throughBatch(message), BYTES_ORIGIN).toMessage();
    }

    static Record withJmsHeader(byte[] header) {
        return new Record(7, 1, null, new byte[0], List.of(new RecordHeader("jms", header)));
    }

    static Record foreign(byte @Nullable [] key, byte @Nullable [] value, RecordHeader... headers) {
        return new Record(7, 1_700_000_000_000L, key, value, List.of(headers));
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
