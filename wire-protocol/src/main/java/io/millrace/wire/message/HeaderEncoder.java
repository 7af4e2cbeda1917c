package io.millrace.wire.message;

import static io.millrace.wire.message.HeaderFlags.CLIENT_ID;
import static io.millrace.wire.message.HeaderFlags.CORRELATION_BYTES;
import static io.millrace.wire.message.HeaderFlags.CORRELATION_TEXT;
import static io.millrace.wire.message.HeaderFlags.DELIVERY_TIME;
import static io.millrace.wire.message.HeaderFlags.EXPIRATION;
import static io.millrace.wire.message.HeaderFlags.GROUP_SEQUENCE;
import static io.millrace.wire.message.HeaderFlags.KEY_IS_GROUP;
import static io.millrace.wire.message.HeaderFlags.NON_PERSISTENT;
import static io.millrace.wire.message.HeaderFlags.POSITION_ID;
import static io.millrace.wire.message.HeaderFlags.PRIORITY;
import static io.millrace.wire.message.HeaderFlags.PROPERTY_TYPES;
import static io.millrace.wire.message.HeaderFlags.REPLY_TO;
import static io.millrace.wire.message.HeaderFlags.TEXT_ID;
import static io.millrace.wire.message.HeaderFlags.TIMESTAMP_DISABLED;
import static io.millrace.wire.message.HeaderFlags.TYPE;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the {@code jms} header of a message; {@link JmsHeader} reads it. The fields stand in the order of {@link HeaderFlags}. */
final class HeaderEncoder {
    private final Message message;
    private final BinaryWriter out = new BinaryWriter(64);
    private int flags;

    private HeaderEncoder(Message message) {
        this.message = message;
    }

    static byte[] encode(Message message) {
        return new HeaderEncoder(message).encode();
    }

    private byte[] encode() {
        out.u8(JmsHeader.VERSION);
        out.u8(message.body().type().id());
        out.i16(0);
        flag(NON_PERSISTENT, !message.persistent());
        flag(KEY_IS_GROUP, message.groupId().isPresent());
        flag(TIMESTAMP_DISABLED, message.timestampDisabled());
        writeDelivery();
        message.id().ifPresent(this::writeId);
        message.correlationId().ifPresent(this::writeCorrelationId);
        message.replyTo().ifPresent(this::writeReplyTo);
        message.type().ifPresent(type -> {
            flag(TYPE, true);
            out.string(type);
        });
        message.groupSequence().ifPresent(sequence -> {
            flag(GROUP_SEQUENCE, true);
            out.i32(sequence);
        });
        writePropertyTypes();
        byte[] header = out.toByteArray();
        header[2] = (byte) (flags >> 8);
        header[3] = (byte) flags;
        return header;
    }

    private void writeDelivery() {
        if (message.priority() != Message.DEFAULT_PRIORITY) {
            flag(PRIORITY, true);
            out.u8(message.priority());
        }
        if (message.expirationMs() != 0) {
            flag(EXPIRATION, true);
            out.i64(message.expirationMs());
        }
        if (message.deliveryTimeMs() != 0) {
            flag(DELIVERY_TIME, true);
            out.i64(message.deliveryTimeMs());
        }
    }

    private void writeId(MessageId id) {
        if (id instanceof MessageId.Client made) {
            flag(CLIENT_ID, true);
            out.uuid(made.client());
            out.varint(made.counter());
        } else if (id instanceof MessageId.Position position) {
            flag(POSITION_ID, true);
            out.uuid(position.log());
            out.varint(position.partition());
            out.varint(position.offset());
        } else if (id instanceof MessageId.Text text) {
            flag(TEXT_ID, true);
            out.string(text.text());
        }
    }

    private void writeCorrelationId(CorrelationId id) {
        if (id instanceof CorrelationId.Text text) {
            flag(CORRELATION_TEXT, true);
            out.string(text.value());
        } else if (id instanceof CorrelationId.Bytes bytes) {
            flag(CORRELATION_BYTES, true);
            ByteBuffer value = bytes.value().duplicate();
            byte[] copy = new byte[value.remaining()];
            value.get(copy);
            out.sized(copy);
        }
    }

    private void writeReplyTo(ReplyTo replyTo) {
        flag(REPLY_TO, true);
        out.u8(replyTo.kind().id());
        out.string(replyTo.name());
    }

    /** Strings and absent values say what they are; the others name their type. */
    private void writePropertyTypes() {
        Map<String, @Nullable Object> properties = message.properties();
        long typed =
                properties.values().stream().filter(HeaderEncoder::needsType).count();
        if (typed == 0) {
            return;
        }
        flag(PROPERTY_TYPES, true);
        out.varint(typed);
        properties.forEach((name, value) -> {
            if (needsType(value)) {
                out.u8(ValueType.of(value).id());
                out.string(name);
            }
        });
    }

    private static boolean needsType(@Nullable Object value) {
        return value != null && !(value instanceof String);
    }

    private void flag(int flag, boolean set) {
        if (set) {
            flags |= flag;
        }
    }
}
