package io.millrace.wire.message;

import static io.millrace.wire.message.HeaderFlags.CLIENT_ID;
import static io.millrace.wire.message.HeaderFlags.CORRELATION_BYTES;
import static io.millrace.wire.message.HeaderFlags.CORRELATION_TEXT;
import static io.millrace.wire.message.HeaderFlags.DELIVERY_TIME;
import static io.millrace.wire.message.HeaderFlags.EXPIRATION;
import static io.millrace.wire.message.HeaderFlags.EXTENSIONS;
import static io.millrace.wire.message.HeaderFlags.GROUP_SEQUENCE;
import static io.millrace.wire.message.HeaderFlags.POSITION_ID;
import static io.millrace.wire.message.HeaderFlags.PRIORITY;
import static io.millrace.wire.message.HeaderFlags.PROPERTY_TYPES;
import static io.millrace.wire.message.HeaderFlags.REPLY_TO;
import static io.millrace.wire.message.HeaderFlags.TEXT_ID;
import static io.millrace.wire.message.HeaderFlags.TYPE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The {@code jms} header of a record: what a message has and a record has not. Written by {@link HeaderEncoder}.
 *
 * <p>The constructor walks over the whole header, so that damage is found when the record is read and not when somebody asks for
 * a field; but it makes no objects, it only remembers where the fields are. The strings in it are checked when they are read.
 *
 * <p>Version 1: as {@code docs/message-format.md} describes. A new field becomes an extension, which old readers skip; only what
 * they must not miss needs a new version.
 */
final class JmsHeader {
    static final String NAME = "jms";
    static final byte[] NAME_BYTES = NAME.getBytes(UTF_8);
    static final int VERSION = 1;

    private static final int ALL_IDS = CLIENT_ID | POSITION_ID | TEXT_ID;
    private static final int ALL_CORRELATION_IDS = CORRELATION_TEXT | CORRELATION_BYTES;

    private final BinaryReader in;
    private final BodyType bodyType;
    private final int flags;
    private final DeliveryFields delivery;
    private final int idPosition;
    private final int correlationIdPosition;
    private final int replyToPosition;
    private final int typePosition;
    private final int groupSequence;
    private final int propertyTypesPosition;

    /**
     * @throws MalformedMessageException if these bytes are no header, or one of a version not known here
     */
    JmsHeader(ByteBuffer header) {
        in = new BinaryReader(header, "jms header");
        bodyType = readStart(in);
        flags = in.i16("flags") & 0xFFFF;
        requireAtMostOne(ALL_IDS, "message ids");
        requireAtMostOne(ALL_CORRELATION_IDS, "correlation ids");
        delivery = readDelivery(in, flags);
        idPosition = in.position();
        skipId();
        correlationIdPosition = in.position();
        if (has(ALL_CORRELATION_IDS)) {
            in.skipSized("correlation id");
        }
        replyToPosition = in.position();
        if (has(REPLY_TO)) {
            readReplyToKind(in);
            in.skipSized("reply-to name");
        }
        typePosition = in.position();
        if (has(TYPE)) {
            in.skipSized("type");
        }
        groupSequence = has(GROUP_SEQUENCE) ? in.i32("group sequence") : 0;
        propertyTypesPosition = in.position();
        skipPropertyTypes();
        skipExtensions();
        in.end();
    }

    /** Reads the fields that decide on delivery, and nothing behind them. */
    static DeliveryFields readDelivery(ByteBuffer header) {
        BinaryReader in = new BinaryReader(header, "jms header");
        readStart(in);
        return readDelivery(in, in.i16("flags") & 0xFFFF);
    }

    private static BodyType readStart(BinaryReader in) {
        int version = in.u8("version");
        if (version != VERSION) {
            throw in.malformed("its version is " + version + ", only " + VERSION
                    + " is known here: a newer Millrace, or a program that uses the name for something else, wrote it");
        }
        int type = in.u8("body type");
        return BodyType.forId(type).orElseThrow(() -> in.malformed("body type is " + type + ", which no body has"));
    }

    private static DeliveryFields readDelivery(BinaryReader in, int flags) {
        int priority = Message.DEFAULT_PRIORITY;
        if ((flags & PRIORITY) != 0) {
            priority = in.u8("priority");
            if (priority > 9) {
                throw in.malformed("priority is " + priority + ", more than 9");
            }
        }
        long expirationMs = (flags & EXPIRATION) == 0 ? 0 : readTime(in, "expiration");
        long deliveryTimeMs = (flags & DELIVERY_TIME) == 0 ? 0 : readTime(in, "delivery time");
        return new DeliveryFields(
                (flags & HeaderFlags.NON_PERSISTENT) == 0,
                priority,
                expirationMs,
                deliveryTimeMs,
                (flags & HeaderFlags.KEY_IS_GROUP) != 0);
    }

    private static long readTime(BinaryReader in, String field) {
        long millis = in.i64(field);
        if (millis < 0) {
            throw in.malformed(field + " is " + millis + ", which is negative");
        }
        return millis;
    }

    private void requireAtMostOne(int choice, String what) {
        if (Integer.bitCount(flags & choice) > 1) {
            throw in.malformed("its flags " + Integer.toHexString(flags) + " announce several " + what);
        }
    }

    private void skipId() {
        if (has(CLIENT_ID)) {
            in.skip(16, "message id");
            in.varintUpTo(Long.MAX_VALUE, "counter of the message id");
        } else if (has(POSITION_ID)) {
            in.skip(16, "message id");
            in.varintUpTo(Integer.MAX_VALUE, "partition of the message id");
            in.varintUpTo(Long.MAX_VALUE, "offset of the message id");
        } else if (has(TEXT_ID)) {
            in.skipSized("message id");
        }
    }

    private static ReplyTo.Kind readReplyToKind(BinaryReader in) {
        int kind = in.u8("reply-to kind");
        return ReplyTo.Kind.forId(kind)
                .orElseThrow(() -> in.malformed("reply-to kind is " + kind + ", which none has"));
    }

    private void skipPropertyTypes() {
        if (has(PROPERTY_TYPES)) {
            int count = in.count(2, "number of property types");
            for (int i = 0; i < count; i++) {
                readPropertyType(in);
                in.skipSized("name of a typed property");
            }
        }
    }

    private static ValueType readPropertyType(BinaryReader in) {
        ValueType type = ValueType.read(in, "type of a property");
        if (!type.isProperty()) {
            throw in.malformed("a property is of type " + type + ", which properties cannot have");
        }
        return type;
    }

    private void skipExtensions() {
        if (has(EXTENSIONS)) {
            int count = in.count(2, "number of extensions");
            for (int i = 0; i < count; i++) {
                in.varint("tag of an extension");
                in.skipSized("an extension");
            }
        }
    }

    BodyType bodyType() {
        return bodyType;
    }

    DeliveryFields delivery() {
        return delivery;
    }

    boolean timestampDisabled() {
        return has(HeaderFlags.TIMESTAMP_DISABLED);
    }

    Optional<MessageId> id() {
        BinaryReader at = in.at(idPosition);
        if (has(CLIENT_ID)) {
            return Optional.of(new MessageId.Client(at.uuid("message id"), at.varint("counter of the message id")));
        }
        if (has(POSITION_ID)) {
            return Optional.of(new MessageId.Position(
                    at.uuid("message id"),
                    (int) at.varint("partition of the message id"),
                    at.varint("offset of the message id")));
        }
        return has(TEXT_ID) ? Optional.of(new MessageId.Text(at.string("message id"))) : Optional.empty();
    }

    Optional<CorrelationId> correlationId() {
        BinaryReader at = in.at(correlationIdPosition);
        if (has(CORRELATION_TEXT)) {
            return Optional.of(new CorrelationId.Text(at.string("correlation id")));
        }
        return has(CORRELATION_BYTES)
                ? Optional.of(new CorrelationId.Bytes(at.sized("correlation id")))
                : Optional.empty();
    }

    Optional<ReplyTo> replyTo() {
        if (!has(REPLY_TO)) {
            return Optional.empty();
        }
        BinaryReader at = in.at(replyToPosition);
        ReplyTo.Kind kind = readReplyToKind(at);
        String name = at.string("reply-to name");
        if (name.isEmpty()) {
            throw at.malformed("reply-to name is empty");
        }
        return Optional.of(new ReplyTo(kind, name));
    }

    Optional<String> type() {
        BinaryReader at = in.at(typePosition);
        return has(TYPE) ? Optional.of(at.string("type")) : Optional.empty();
    }

    OptionalInt groupSequence() {
        return has(GROUP_SEQUENCE) ? OptionalInt.of(groupSequence) : OptionalInt.empty();
    }

    /** Types of the properties that are not strings, by name. */
    Map<String, ValueType> propertyTypes() {
        if (!has(PROPERTY_TYPES)) {
            return Map.of();
        }
        BinaryReader at = in.at(propertyTypesPosition);
        int count = at.count(2, "number of property types");
        Map<String, ValueType> types = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ValueType type = readPropertyType(at);
            types.put(at.string("name of a typed property"), type);
        }
        return types;
    }

    /** Type of the property of this name, {@link ValueType#STRING} if it has no other. */
    ValueType propertyType(String name) {
        ValueType found = ValueType.STRING;
        if (has(PROPERTY_TYPES)) {
            BinaryReader at = in.at(propertyTypesPosition);
            for (int left = at.count(2, "number of property types"); left > 0; left--) {
                ValueType type = readPropertyType(at);
                if (at.string("name of a typed property").equals(name)) {
                    found = type;
                }
            }
        }
        return found;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
