package io.millrace.wire.message;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message as it stands in the value of a record: its type and its bytes. It is decoded when its content is asked
 * for, so a server, or a client that passes a message on, never decodes it.
 *
 * <p>Text and serialized objects may be absent ({@link #isAbsent}), which is not the same as empty. A reader accepts absence
 * for the other types too, since a record's value may be missing for any reason: it reads as no bytes, no entries, no items.
 */
public final class MessageBody {
    private static final int TYPED_VERSION = 1;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
    private static final MessageBody PLAIN = new MessageBody(BodyType.PLAIN, NOTHING);
    private static final MessageBody NO_TEXT = new MessageBody(BodyType.TEXT, null);
    private static final MessageBody NO_OBJECT = new MessageBody(BodyType.OBJECT, null);

    private final BodyType type;
    private final @Nullable ByteBuffer value;

    private MessageBody(BodyType type, @Nullable ByteBuffer value) {
        this.type = Objects.requireNonNull(type, "type");
        this.value = value;
    }

    /** The body of a message that has none. */
    public static MessageBody plain() {
        return PLAIN;
    }

    /** Text; any string, halves of surrogate pairs included. */
    public static MessageBody text(String text) {
        return wrap(BodyType.TEXT, Wtf8.encode(text));
    }

    /** A text message whose text was never set. */
    public static MessageBody absentText() {
        return NO_TEXT;
    }

    /**
     * Bytes as they are.
     *
     * @param bytes from position to limit; not copied, the caller must not change them any more
     */
    public static MessageBody bytes(ByteBuffer bytes) {
        return of(BodyType.BYTES, bytes);
    }

    /**
     * Names with values.
     *
     * @param entries of class String, byte[], Boolean, Byte, Short, Character, Integer, Long, Float, Double, or {@code null}; the
     *     order of iteration is kept
     * @throws IllegalArgumentException if a value is of another class
     */
    public static MessageBody map(Map<String, ? extends @Nullable Object> entries) {
        BinaryWriter out = new BinaryWriter(16 + 24 * entries.size());
        out.u8(TYPED_VERSION);
        out.varint(entries.size());
        entries.forEach((name, value) -> {
            out.string(name);
            ValueType.writeValue(value, out);
        });
        return wrap(BodyType.MAP, out.toByteArray());
    }

    /**
     * A sequence of values.
     *
     * @param items of the same classes as the values of a {@link #map}
     * @throws IllegalArgumentException if a value is of another class
     */
    public static MessageBody stream(List<? extends @Nullable Object> items) {
        BinaryWriter out = new BinaryWriter(16 + 12 * items.size());
        out.u8(TYPED_VERSION);
        out.varint(items.size());
        items.forEach(item -> ValueType.writeValue(item, out));
        return wrap(BodyType.STREAM, out.toByteArray());
    }

    /**
     * A serialized object.
     *
     * @param serialized from position to limit; not copied, the caller must not change them any more
     */
    public static MessageBody object(ByteBuffer serialized) {
        return of(BodyType.OBJECT, serialized);
    }

    /** An object message whose object was never set. */
    public static MessageBody absentObject() {
        return NO_OBJECT;
    }

    /** A body from the value of a record, of which {@code value} is a view from position to limit. */
    static MessageBody of(BodyType type, @Nullable ByteBuffer value) {
        return new MessageBody(type, value == null ? null : value.slice().asReadOnlyBuffer());
    }

    private static MessageBody wrap(BodyType type, byte[] value) {
        return new MessageBody(type, ByteBuffer.wrap(value).asReadOnlyBuffer());
    }

    /** Returns which of the five types, or none, the body is of. */
    public BodyType type() {
        return type;
    }

    /** Tells whether there is no value at all, as in a text message whose text is {@code null}. */
    public boolean isAbsent() {
        return value == null;
    }

    /** Returns the bytes of the value, read-only and with a position of their own; empty when {@linkplain #isAbsent absent}. */
    public ByteBuffer bytes() {
        return value == null ? NOTHING : value.duplicate();
    }

    /** Returns the size of the value, 0 or more. */
    public int sizeBytes() {
        return value == null ? 0 : value.remaining();
    }

    /**
     * Returns the text, or empty when it is absent.
     *
     * @throws IllegalStateException if this is no text
     * @throws MalformedMessageException if the bytes are no UTF-8
     */
    public Optional<String> text() {
        require(BodyType.TEXT);
        if (value == null) {
            return Optional.empty();
        }
        String text = Wtf8.tryDecode(value);
        if (text == null) {
            throw new MalformedMessageException("malformed text body: its " + sizeBytes() + " bytes are not UTF-8");
        }
        return Optional.of(text);
    }

    /**
     * Returns the entries of a map in their order; map and arrays are new and belong to the caller.
     *
     * @throws IllegalStateException if this is no map
     * @throws MalformedMessageException if the bytes are no map of a version known here
     */
    public Map<String, @Nullable Object> map() {
        require(BodyType.MAP);
        if (value == null) {
            return new LinkedHashMap<>();
        }
        BinaryReader in = typedReader(value, "map body");
        int count = in.count(2, "number of entries");
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.string("name of an entry");
            if (entries.containsKey(name)) {
                throw in.malformed("it has two entries '" + name + "'");
            }
            entries.put(name, ValueType.readValue(in, "an entry"));
        }
        in.end();
        return entries;
    }

    /**
     * Returns the items of a stream in their order; list and arrays are new and belong to the caller.
     *
     * @throws IllegalStateException if this is no stream
     * @throws MalformedMessageException if the bytes are no stream of a version known here
     */
    public List<@Nullable Object> stream() {
        require(BodyType.STREAM);
        if (value == null) {
            return new ArrayList<>();
        }
        BinaryReader in = typedReader(value, "stream body");
        int count = in.count(1, "number of items");
        List<@Nullable Object> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(ValueType.readValue(in, "an item"));
        }
        in.end();
        return items;
    }

    private static BinaryReader typedReader(ByteBuffer value, String subject) {
        BinaryReader in = new BinaryReader(value, subject);
        int version = in.u8("version");
        if (version != TYPED_VERSION) {
            throw in.malformed("its version is " + version + ", only " + TYPED_VERSION
                    + " is known here: a newer Millrace is needed to read it");
        }
        return in;
    }

    private void require(BodyType wanted) {
        if (type != wanted) {
            throw new IllegalStateException("the body is of type " + type + ", not " + wanted);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MessageBody that && type == that.type && Objects.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Objects.hashCode(value);
    }

    @Override
    public String toString() {
        return "MessageBody[" + type + (value == null ? ", absent]" : ", " + sizeBytes() + " bytes]");
    }
}
