package io.millrace.wire.message;

import static io.millrace.wire.message.TestRecords.TEXT_ORIGIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;

/** Kafka's own classes on one side, ours on the other. */
class KafkaRecordsTest {
    private static RecordCursor writtenByKafka(Compression compression, byte[] key, byte[] value, Header... headers) {
        MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(1024), compression, TimestampType.CREATE_TIME, 100);
        builder.append(1_700_000_000_123L, "other".getBytes(UTF_8), "first".getBytes(UTF_8));
        builder.append(1_700_000_000_456L, key, value, headers);
        RecordCursor cursor = RecordBatch.at(builder.build().buffer(), 0).records();
        cursor.next();
        cursor.next();
        return cursor;
    }

    @Test
    void shouldReadARecordOfAKafkaProducerAsAMessage() {
        RecordCursor cursor = writtenByKafka(
                Compression.gzip().build(),
                "customer 7".getBytes(UTF_8),
                "{\"a\":1}".getBytes(UTF_8),
                new RecordHeader("source", "shop".getBytes(UTF_8)),
                new RecordHeader("not-a-property", new byte[] {1}));

        Message message = MessageRecords.read(cursor, TEXT_ORIGIN).toMessage();

        assertThat(message.body()).isEqualTo(MessageBody.text("{\"a\":1}"));
        assertThat(message.id()).contains(new MessageId.Position(TestRecords.LOG, 3, 101));
        assertThat(message.timestampMs()).isEqualTo(1_700_000_000_456L);
        assertThat(message.groupId()).contains("customer 7");
        assertThat(message.priority()).isEqualTo(4);
        assertThat(message.persistent()).isTrue();
        assertThat(message.properties()).containsExactly(entry("source", "shop"));
    }

    @Test
    void shouldReadBinaryValuesOfAKafkaProducerAsBytes() {
        byte[] value = {(byte) 0xCA, (byte) 0xFE};

        StoredMessage message = MessageRecords.read(writtenByKafka(Compression.NONE, new byte[0], value), TEXT_ORIGIN);

        assertThat(message.body()).isEqualTo(MessageBody.bytes(ByteBuffer.wrap(value)));
    }

    @Test
    void shouldShowAMessageToAKafkaConsumer() {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 16, 1 << 20);
        MessageRecords.encode(Message.builder(MessageBody.text("Grüße"))
                        .id(new MessageId.Client(new UUID(1, 2), 3))
                        .timestampMs(1_700_000_000_000L)
                        .groupId("group")
                        .property("count", 12)
                        .property("name", "Jürgen")
                        .build())
                .tryAppendTo(builder);

        Record record = MemoryRecords.readableRecords(builder.build())
                .records()
                .iterator()
                .next();

        assertThat(UTF_8.decode(record.value()).toString()).isEqualTo("Grüße");
        assertThat(UTF_8.decode(record.key()).toString()).isEqualTo("group");
        assertThat(record.timestamp()).isEqualTo(1_700_000_000_000L);
        RecordHeaders headers = new RecordHeaders(record.headers());
        assertThat(headers.lastHeader("count").value()).asString(UTF_8).isEqualTo("12");
        assertThat(headers.lastHeader("name").value()).asString(UTF_8).isEqualTo("Jürgen");
        assertThat(headers.toArray()).extracting(Header::key).containsExactly("jms", "count", "name");
    }
}
