package io.millrace.wire.message;

import io.millrace.wire.record.Record;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages to records and back ({@code docs/message-format.md}): the value is the body, the key the JMSXGroupID, the timestamp
 * the JMSTimestamp; each property is a header of its name in plain text; the header {@code jms} has the rest. Records without it,
 * which Kafka clients wrote, are messages too.
 */
public final class MessageRecords {
    private MessageRecords() {}

    /** Turns a message into the parts of a record. */
    public static EncodedMessage encode(Message message) {
        List<RecordHeader> headers = new ArrayList<>(1 + message.properties().size());
        headers.add(new RecordHeader(JmsHeader.NAME, HeaderEncoder.encode(message)));
        PropertyHeaders.encode(message.properties(), headers);
        MessageBody body = message.body();
        return new EncodedMessage(
                message.timestampMs(),
                message.groupId().map(group -> ByteBuffer.wrap(Wtf8.encode(group))),
                body.isAbsent() ? Optional.empty() : Optional.of(body.bytes()),
                headers);
    }

    /**
     * Sees the record that the cursor is on as a message, without copying: it is valid as long as the cursor's slices are, that is
     * until the cursor is closed or reset, and may be used after the cursor went on to the next record.
     *
     * @throws MalformedMessageException if the {@code jms} header is damaged or of an unknown version
     */
    public static StoredMessage read(RecordCursor cursor, RecordOrigin origin) {
        return view(cursor, cursor, origin, jmsHeader(cursor));
    }

    /**
     * Copies the record that the cursor is on and sees the copy as a message, which is valid forever and does not hold its batch
     * in memory.
     *
     * @throws MalformedMessageException if the {@code jms} header is damaged or of an unknown version
     */
    public static StoredMessage readCopy(RecordCursor cursor, RecordOrigin origin) {
        RecordCursor copy = copyOf(cursor);
        return view(cursor, copy, origin, jmsHeader(copy));
    }

    /**
     * Sees a record as a message. The record must not be changed any more.
     *
     * @throws MalformedMessageException if the {@code jms} header is damaged or of an unknown version
     */
    public static StoredMessage read(Record record, RecordOrigin origin) {
        for (RecordHeader header : record.headers()) {
            if (header.name().equals(JmsHeader.NAME)) {
                byte[] value = header.value();
                return view(record, origin, Optional.of(new JmsHeader(buffer(value))));
            }
        }
        return view(record, origin, Optional.empty());
    }

    /**
     * As {@link #readCopy}, but takes the record for one without a {@code jms} header: the way on when reading it has failed. Never
     * throws.
     */
    public static StoredMessage readForeign(RecordCursor cursor, RecordOrigin origin) {
        return view(cursor, copyOf(cursor), origin, Optional.empty());
    }

    /**
     * Reads what decides on the delivery of the record that the cursor is on, and nothing more.
     *
     * @throws MalformedMessageException if the {@code jms} header is damaged in this part, or of an unknown version
     */
    public static DeliveryFields deliveryFields(RecordCursor cursor) {
        int index = indexOfJmsHeader(cursor);
        return index < 0 ? DeliveryFields.DEFAULT : JmsHeader.readDelivery(orEmpty(cursor.headerValue(index)));
    }

    private static Optional<JmsHeader> jmsHeader(RecordCursor cursor) {
        int index = indexOfJmsHeader(cursor);
        return index < 0 ? Optional.empty() : Optional.of(new JmsHeader(orEmpty(cursor.headerValue(index))));
    }

    /** The first one counts: we write it in front, so that it is found without a look at the others. */
    private static int indexOfJmsHeader(RecordCursor cursor) {
        for (int i = 0; i < cursor.headerCount(); i++) {
            if (cursor.headerNameEquals(i, JmsHeader.NAME_BYTES)) {
                return i;
            }
        }
        return -1;
    }

    /** A view of the bytes that {@code bytes} is on; {@code place} knows offset and timestamp, which depend on the batch. */
    private static StoredMessage view(
            RecordCursor place, RecordCursor bytes, RecordOrigin origin, Optional<JmsHeader> header) {
        ByteBuffer raw = bytes.rawRecord();
        return new StoredMessage(
                origin,
                place.offset(),
                place.timestampMs(),
                bytes.key(),
                bytes.value(),
                header,
                () -> RecordHeaders.of(raw));
    }

    private static StoredMessage view(Record record, RecordOrigin origin, Optional<JmsHeader> header) {
        return new StoredMessage(
                origin,
                record.offset(),
                record.timestampMs(),
                record.key() == null ? null : buffer(record.key()),
                record.value() == null ? null : buffer(record.value()),
                header,
                () -> RecordHeaders.of(record.headers()));
    }

    private static RecordCursor copyOf(RecordCursor cursor) {
        ByteBuffer copy = ByteBuffer.allocate(cursor.recordSizeInBytes());
        cursor.copyRecordTo(copy);
        RecordCursor onCopy = RecordCursor.overRecords(copy.flip(), 0, 0, 1);
        onCopy.next();
        return onCopy;
    }

    private static ByteBuffer orEmpty(@Nullable ByteBuffer value) {
        return value == null ? ByteBuffer.allocate(0) : value;
    }

    private static ByteBuffer buffer(byte @Nullable [] value) {
        return ByteBuffer.wrap(value == null ? new byte[0] : value);
    }
}
