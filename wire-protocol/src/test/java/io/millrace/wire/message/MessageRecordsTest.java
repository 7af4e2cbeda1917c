package io.millrace.wire.message;

import static io.millrace.wire.message.TestRecords.BYTES_ORIGIN;
import static io.millrace.wire.message.TestRecords.TEXT_ORIGIN;
import static io.millrace.wire.message.TestRecords.foreign;
import static io.millrace.wire.message.TestRecords.roundTrip;
import static io.millrace.wire.message.TestRecords.throughBatch;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.wire.record.Record;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageRecordsTest {
    private static final UUID CLIENT = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    private static Message everything(MessageBody body) {
        return Message.builder(body)
                .id(new MessageId.Client(CLIENT, 1L << 33))
                .timestampMs(1_700_000_000_000L)
                .persistent(false)
                .priority(9)
                .expirationMs(1_700_000_060_000L)
                .deliveryTimeMs(1_700_000_001_000L)
                .correlationId(new CorrelationId.Text("order \uD83D 7"))
                .replyTo(new ReplyTo(ReplyTo.Kind.TEMPORARY_QUEUE, "reply/1"))
                .type("car")
                .groupId("group 1")
                .groupSequence(-5)
                .property("b", true)
                .property("s", "text \uDE00")
                .property("aByte", (byte) -1)
                .property("aShort", Short.MAX_VALUE)
                .property("anInt", Integer.MIN_VALUE)
                .property("aLong", Long.MIN_VALUE)
                .property("aFloat", 0.1f)
                .property("aDouble", 1e-300)
                .property("nothing", null)
                .build();
    }

    private static MessageBody bodyOf(BodyType type) {
        return switch (type) {
            case PLAIN -> MessageBody.plain();
            case TEXT -> MessageBody.text("Grüße \uD83D\uDE00");
            case BYTES -> MessageBody.bytes(ByteBuffer.wrap(new byte[] {0, -1, 1}));
            case MAP -> MessageBody.map(Map.of("key", 17));
            case STREAM -> MessageBody.stream(Arrays.asList("a", null, 1.5));
            case OBJECT -> MessageBody.object(ByteBuffer.wrap(new byte[] {(byte) 0xAC, (byte) 0xED}));
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldBringBackEveryField(BodyType type) {
        Message message = everything(bodyOf(type));

        Message read = roundTrip(message);

        assertThat(read).isEqualTo(message);
        assertThat(read.properties().keySet())
                .containsExactlyElementsOf(message.properties().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldBringBackAMessageOfDefaults(BodyType type) {
        Message message = Message.builder(bodyOf(type)).timestampMs(5).build();

        assertThat(roundTrip(message)).isEqualTo(message);
    }

    @Test
    void shouldTellAbsentTextFromEmptyText() {
        assertThat(roundTrip(Message.builder(MessageBody.absentText()).build())
                        .body()
                        .text())
                .isEmpty();
        assertThat(roundTrip(Message.builder(MessageBody.text("")).build())
                        .body()
                        .text())
                .contains("");
        assertThat(roundTrip(Message.builder(MessageBody.absentObject()).build())
                        .body()
                        .isAbsent())
                .isTrue();
    }

    @Test
    void shouldWriteTheBodyAsValueAndTheGroupAsKey() {
        RecordCursor cursor = throughBatch(Message.builder(MessageBody.text("Grüße"))
                .timestampMs(1_700_000_000_000L)
                .groupId("g")
                .build());

        assertThat(cursor.value()).isEqualTo(ByteBuffer.wrap("Grüße".getBytes(UTF_8)));
        assertThat(cursor.key()).isEqualTo(ByteBuffer.wrap("g".getBytes(UTF_8)));
        assertThat(cursor.timestampMs()).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void shouldWritePropertiesAsPlainTextForKafkaClients() {
        Record record = throughBatch(everything(MessageBody.plain())).toRecord();

        assertThat(record.headers())
                .extracting(
                        RecordHeader::name, header -> header.value() == null ? null : new String(header.value(), UTF_8))
                .contains(
                        org.assertj.core.groups.Tuple.tuple("b", "true"),
                        org.assertj.core.groups.Tuple.tuple("aByte", "-1"),
                        org.assertj.core.groups.Tuple.tuple("aShort", "32767"),
                        org.assertj.core.groups.Tuple.tuple("anInt", "-2147483648"),
                        org.assertj.core.groups.Tuple.tuple("aLong", "-9223372036854775808"),
                        org.assertj.core.groups.Tuple.tuple("aFloat", "0.1"),
                        org.assertj.core.groups.Tuple.tuple("aDouble", "1.0E-300"),
                        org.assertj.core.groups.Tuple.tuple("nothing", null));
        assertThat(record.headers().get(0).name()).isEqualTo("jms");
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.0,
                -0.0,
                0.1,
                1.0 / 3,
                Double.MIN_VALUE,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                2.2250738585072014E-308,
                9007199254740992.0
            })
    void shouldBringBackFloatingPointPropertiesExactly(double value) {
        Message read = roundTrip(Message.builder(MessageBody.plain())
                .property("d", value)
                .property("f", (float) value)
                .build());

        assertThat(read.properties()).containsExactly(entry("d", value), entry("f", (float) value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms", "jms_", "jms__", "jms_x", "jmsx", "JMS_x", "_jms"})
    void shouldKeepPropertiesApartFromItsOwnHeader(String name) {
        Message message = Message.builder(MessageBody.plain())
                .id(new MessageId.Client(CLIENT, 1))
                .property(name, 5)
                .property("other", "x")
                .build();

        StoredMessage read = MessageRecords.read(throughBatch(message), BYTES_ORIGIN);

        assertThat(read.properties()).containsExactly(entry(name, 5), entry("other", "x"));
        assertThat(read.property(name)).contains(5);
        assertThat(read.id()).contains(new MessageId.Client(CLIENT, 1));
    }

    @Test
    void shouldReadOnePropertyWithoutTheOthers() {
        StoredMessage read = MessageRecords.read(throughBatch(everything(MessageBody.plain())), BYTES_ORIGIN);

        assertThat(read.property("aFloat")).contains(0.1f);
        assertThat(read.property("s")).contains("text \uDE00");
        assertThat(read.property("nothing")).isEmpty();
        assertThat(read.property("missing")).isEmpty();
        assertThat(read.property("jms")).isEmpty();
        assertThat(read.property("JMSXGroupID")).isEmpty();
    }

    @Test
    void shouldReadDeliveryFieldsWithoutTheRestOfTheHeader() {
        byte[] header = HeaderEncoder.encode(everything(MessageBody.plain()));

        DeliveryFields fields = JmsHeader.readDelivery(ByteBuffer.wrap(header, 0, 4 + 1 + 8 + 8));

        assertThat(fields).isEqualTo(new DeliveryFields(false, 9, 1_700_000_060_000L, 1_700_000_001_000L, true));
        assertThat(MessageRecords.deliveryFields(throughBatch(everything(MessageBody.plain()))))
                .isEqualTo(fields);
    }

    @Test
    void shouldBeReadableAfterTheCursorWentOn() {
        RecordCursor cursor = throughBatch(everything(MessageBody.text("one")), everything(MessageBody.text("two")));
        StoredMessage view = MessageRecords.read(cursor, TEXT_ORIGIN);
        StoredMessage copy = MessageRecords.readCopy(cursor, TEXT_ORIGIN);
        cursor.next();
        StoredMessage second = MessageRecords.read(cursor, TEXT_ORIGIN);

        assertThat(view.toMessage()).isEqualTo(everything(MessageBody.text("one")));
        assertThat(copy.toMessage()).isEqualTo(everything(MessageBody.text("one")));
        assertThat(copy.offset()).isEqualTo(TestRecords.BASE_OFFSET);
        assertThat(second.body().text()).contains("two");
        assertThat(second.offset()).isEqualTo(TestRecords.BASE_OFFSET + 1);
    }

    @Test
    void shouldNotShareBytesWithTheBatchAfterCopying() {
        RecordCursor cursor = throughBatch(everything(MessageBody.text("one")));
        StoredMessage copy = MessageRecords.readCopy(cursor, TEXT_ORIGIN);

        ByteBuffer raw = cursor.rawRecord();
        while (raw.hasRemaining()) {
            raw.put((byte) 0);
        }

        assertThat(copy.toMessage()).isEqualTo(everything(MessageBody.text("one")));
    }

    @Test
    void shouldReadARecordWithoutHeaderAsText() {
        StoredMessage read = MessageRecords.read(
                foreign(
                        "key".getBytes(UTF_8),
                        "Grüße".getBytes(UTF_8),
                        new RecordHeader("trace", "abc".getBytes(UTF_8)),
                        new RecordHeader("content-type", "text".getBytes(UTF_8)),
                        new RecordHeader("NOT", "reserved".getBytes(UTF_8)),
                        new RecordHeader("none", null),
                        new RecordHeader("trace", "def".getBytes(UTF_8))),
                TEXT_ORIGIN);

        assertThat(read.isForeign()).isTrue();
        assertThat(read.id().map(MessageId::text)).contains("ID:00112233-4455-6677-8899-aabbccddeeff/3/7");
        assertThat(read.body()).isEqualTo(MessageBody.text("Grüße"));
        assertThat(read.delivery()).isEqualTo(new DeliveryFields(true, 4, 0, 0, false));
        assertThat(read.groupId()).contains("key");
        assertThat(read.timestampMs()).isEqualTo(1_700_000_000_000L);
        assertThat(read.properties())
                .containsOnlyKeys("trace", "none")
                .containsEntry("trace", "def")
                .containsEntry("none", null);
        assertThat(read.property("trace")).contains("def");
    }

    @Test
    void shouldReadARecordWithoutHeaderAsBytesWhereTextIsNotTheDefault() {
        StoredMessage read = MessageRecords.read(foreign(null, "abc".getBytes(UTF_8)), BYTES_ORIGIN);

        assertThat(read.body()).isEqualTo(MessageBody.bytes(ByteBuffer.wrap("abc".getBytes(UTF_8))));
        assertThat(read.groupId()).isEmpty();
    }

    @Test
    void shouldReadARecordWithoutHeaderAsBytesWhenItIsNoText() {
        byte[] noText = {'a', (byte) 0xED, (byte) 0xA0, (byte) 0xBD};

        StoredMessage read = MessageRecords.read(foreign(new byte[] {-1}, noText), TEXT_ORIGIN);

        assertThat(read.body()).isEqualTo(MessageBody.bytes(ByteBuffer.wrap(noText)));
        assertThat(read.groupId()).isEmpty();
    }

    @Test
    void shouldReadATombstoneAsTextThatIsAbsent() {
        assertThat(MessageRecords.read(foreign(null, null), TEXT_ORIGIN).body()).isEqualTo(MessageBody.absentText());
        assertThat(MessageRecords.read(foreign(null, null), BYTES_ORIGIN).body().sizeBytes())
                .isZero();
    }

    @Test
    void shouldKeepTheIdOfAForeignRecordWhenItIsMoved() {
        StoredMessage read = MessageRecords.read(foreign(null, "abc".getBytes(UTF_8)), TEXT_ORIGIN);

        assertThat(roundTrip(read.toMessage()).id()).isEqualTo(read.id());
    }

    @Test
    void shouldReadWhatAProgramBetweenHasChanged() {
        EncodedMessage encoded = MessageRecords.encode(Message.builder(MessageBody.text("x"))
                .property("gone", 1)
                .property("changed", 2)
                .property("kept", 3)
                .build());
        Record record = foreign(
                null,
                "y".getBytes(UTF_8),
                new RecordHeader("added", "first".getBytes(UTF_8)),
                encoded.headers().get(0),
                new RecordHeader("changed", "two".getBytes(UTF_8)),
                new RecordHeader("kept", "3".getBytes(UTF_8)));

        StoredMessage read = MessageRecords.read(record, TEXT_ORIGIN);

        assertThat(read.properties())
                .containsExactly(entry("added", "first"), entry("changed", "two"), entry("kept", 3));
        assertThat(read.body().text()).contains("y");
    }

    @Test
    void shouldReadAnyHeaderAsForeignWhenAskedTo() {
        RecordCursor cursor = throughBatch(everything(MessageBody.text("x")));

        StoredMessage read = MessageRecords.readForeign(cursor, TEXT_ORIGIN);

        assertThat(read.isForeign()).isTrue();
        assertThat(read.body().text()).contains("x");
        assertThat(read.id()).contains(new MessageId.Position(TestRecords.LOG, 3, TestRecords.BASE_OFFSET));
        assertThat(read.properties()).containsEntry("aByte", "-1");
    }

    @Test
    void shouldShowNoTimestampOfRecordsThatHaveNone() {
        Record record = new Record(0, -1, null, null, List.of());

        assertThat(MessageRecords.read(record, TEXT_ORIGIN).timestampMs()).isZero();
    }

    @Test
    void shouldEstimateItsSize() {
        EncodedMessage encoded = MessageRecords.encode(everything(MessageBody.text("x".repeat(10_000))));

        int actual =
                throughBatch(everything(MessageBody.text("x".repeat(10_000)))).recordSizeInBytes();

        assertThat(encoded.sizeBytes()).isBetween(actual - 32, actual + 64);
        assertThat(encoded.key()).isEqualTo(Optional.of(ByteBuffer.wrap("group 1".getBytes(UTF_8))));
    }
}
