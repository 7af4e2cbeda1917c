package io.millrace.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.wire.record.Record;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Whatever a record holds: seen as a message it is refused with {@link MalformedMessageException} or every part of it can be read, and
 * what can be read as a whole can be written again.
 */
class MessageFuzzTest {
    private static final RecordOrigin ORIGIN = new RecordOrigin(new UUID(1, 2), 3, BodyDefault.TEXT);

    /** The input is the {@code jms} header. */
    @FuzzTest
    void jmsHeader(byte[] header) {
        readAll(new Record(7, 1_000, null, null, List.of(new RecordHeader(JmsHeader.NAME, header))));
    }

    /** The input is the type of a body, and the body. */
    @FuzzTest
    void body(byte[] input) {
        if (input.length == 0) {
            return;
        }
        BodyType type = BodyType.forId(Math.floorMod(input[0], BodyType.values().length))
                .orElseThrow();
        MessageBody body = MessageBody.of(type, ByteBuffer.wrap(input, 1, input.length - 1));
        assertThat(body.sizeBytes()).isEqualTo(input.length - 1);
        try {
            switch (type) {
                case TEXT -> body.text();
                case MAP -> assertThat(MessageBody.map(body.map()).map()).hasSameSizeAs(body.map());
                case STREAM ->
                    assertThat(MessageBody.stream(body.stream()).stream()).hasSameSizeAs(body.stream());
                case PLAIN, BYTES, OBJECT ->
                    assertThat(body.bytes().remaining()).isEqualTo(input.length - 1);
            }
        } catch (MalformedMessageException refused) {
            // Fine: whoever asks for the body is told.
        }
    }

    /** The input is the parts of a record, each with its length in front: a jms header, key, value, and headers. */
    @FuzzTest
    void record(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        List<RecordHeader> headers = new ArrayList<>();
        byte[] jms = part(in);
        if (jms.length > 0) {
            headers.add(new RecordHeader(JmsHeader.NAME, jms));
        }
        byte[] key = part(in);
        byte[] value = part(in);
        while (in.hasRemaining()) {
            String name = Wtf8.decodeOrReplace(ByteBuffer.wrap(part(in)));
            headers.add(new RecordHeader(name, part(in)));
        }
        readAll(new Record(7, 1_000, key.length == 0 ? null : key, value, headers));
    }

    private static byte[] part(ByteBuffer in) {
        int size = in.hasRemaining() ? Math.min(Byte.toUnsignedInt(in.get()), in.remaining()) : 0;
        byte[] bytes = new byte[size];
        in.get(bytes);
        return bytes;
    }

    @FuzzTest
    void messageId(byte[] input) {
        String text = Wtf8.decodeOrReplace(ByteBuffer.wrap(input));
        if (!text.isEmpty()) {
            assertThat(MessageId.parse(text).text()).isEqualTo(text);
        }
    }

    private static void readAll(Record record) {
        StoredMessage message;
        try {
            message = MessageRecords.read(record, ORIGIN);
        } catch (MalformedMessageException refused) {
            return;
        }
        List<Runnable> parts = List.of(
                message::id,
                message::correlationId,
                message::replyTo,
                message::type,
                message::groupId,
                message::groupSequence,
                message::delivery,
                message::timestampMs,
                message::timestampDisabled,
                message::properties,
                () -> message.property("a"),
                () -> message.body().text(),
                () -> message.body().map(),
                () -> message.body().stream());
        parts.forEach(MessageFuzzTest::tolerate);
        tolerate(() -> {
            EncodedMessage again = MessageRecords.encode(message.toMessage());
            Record rewritten = new Record(7, again.timestampMs(), null, null, again.headers());
            assertThat(MessageRecords.read(rewritten, ORIGIN).properties()).isEqualTo(message.properties());
        });
    }

    private static void tolerate(Runnable part) {
        try {
            part.run();
        } catch (MalformedMessageException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        } catch (IllegalStateException otherBody) {
            // A body is asked for what it is not.
            assertThat(Arrays.toString(otherBody.getStackTrace())).contains("MessageBody");
        }
    }
}
