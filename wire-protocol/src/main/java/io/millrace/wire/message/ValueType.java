package io.millrace.wire.message;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The types of values in properties, map and stream bodies (Jakarta Messaging 3.5.2, 3.11.3), with their number in records and
 * their binary form in bodies.
 */
enum ValueType {
    NULL(0, Void.class, false),
    BOOLEAN(1, Boolean.class, true),
    BYTE(2, Byte.class, true),
    SHORT(3, Short.class, true),
    CHAR(4, Character.class, false),
    INT(5, Integer.class, true),
    LONG(6, Long.class, true),
    FLOAT(7, Float.class, true),
    DOUBLE(8, Double.class, true),
    STRING(9, String.class, true),
    BYTES(10, byte[].class, false);

    private static final ValueType[] BY_ID = values();

    static {
        for (int id = 0; id < BY_ID.length; id++) {
            if (BY_ID[id].id != id) {
                throw new IllegalStateException("value types must be declared in the order of their ids: " + BY_ID[id]);
            }
        }
    }

    private final int id;
    private final Class<?> javaClass;
    private final boolean property;

    ValueType(int id, Class<?> javaClass, boolean property) {
        this.id = id;
        this.javaClass = javaClass;
        this.property = property;
    }

    int id() {
        return id;
    }

    /** Tells whether properties may be of this type. */
    boolean isProperty() {
        return property;
    }

    /**
     * @throws IllegalArgumentException if values of this class cannot be in a message
     */
    static ValueType of(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        for (ValueType type : BY_ID) {
            if (type.javaClass == value.getClass()) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "a value of class " + value.getClass().getName()
                        + " cannot be in a message: only String, byte[] and the boxed primitives can");
    }

    static ValueType read(BinaryReader in, String field) {
        int id = in.u8(field);
        if (id >= BY_ID.length) {
            throw in.malformed(field + " is " + id + ", which no type has");
        }
        return BY_ID[id];
    }

    /** Writes the type and the value. */
    static void writeValue(@Nullable Object value, BinaryWriter out) {
        ValueType type = of(value);
        out.u8(type.id);
        if (value != null) {
            type.write(value, out);
        }
    }

    /** Reads what {@link #writeValue} wrote; arrays are new. */
    static @Nullable Object readValue(BinaryReader in, String field) {
        return read(in, "type of " + field).readContent(in, field);
    }

    private void write(Object value, BinaryWriter out) {
        switch (this) {
            case BOOLEAN -> out.u8((Boolean) value ? 1 : 0);
            case BYTE -> out.u8((Byte) value);
            case SHORT -> out.i16((Short) value);
            case CHAR -> out.i16((Character) value);
            case INT -> out.zigzag((Integer) value);
            case LONG -> out.zigzag((Long) value);
            case FLOAT -> out.i32(Float.floatToRawIntBits((Float) value));
            case DOUBLE -> out.i64(Double.doubleToRawLongBits((Double) value));
            case STRING -> out.string((String) value);
            case BYTES -> out.sized((byte[]) value);
            case NULL -> throw new IllegalArgumentException("null has no content: " + value);
        }
    }

    private @Nullable Object readContent(BinaryReader in, String field) {
        return switch (this) {
            case NULL -> null;
            case BOOLEAN -> readBoolean(in, field);
            case BYTE -> (byte) in.u8(field);
            case SHORT -> (short) in.i16(field);
            case CHAR -> (char) in.i16(field);
            case INT -> readInt(in, field);
            case LONG -> in.zigzag(field);
            case FLOAT -> Float.intBitsToFloat(in.i32(field));
            case DOUBLE -> Double.longBitsToDouble(in.i64(field));
            case STRING -> in.string(field);
            case BYTES -> readBytes(in, field);
        };
    }

    private static Boolean readBoolean(BinaryReader in, String field) {
        int value = in.u8(field);
        if (value > 1) {
            throw in.malformed(field + " is " + value + ", but a boolean is 0 or 1");
        }
        return value == 1;
    }

    private static Integer readInt(BinaryReader in, String field) {
        long value = in.zigzag(field);
        if (value != (int) value) {
            throw in.malformed(field + " is " + value + ", which is no 32-bit integer");
        }
        return (int) value;
    }

    private static byte[] readBytes(BinaryReader in, String field) {
        ByteBuffer slice = in.sized(field);
        byte[] bytes = new byte[slice.remaining()];
        slice.get(bytes);
        return bytes;
    }

    /** The plain text of a property value, which Kafka clients see. */
    static String textOf(Object value) {
        return Objects.requireNonNull(value).toString();
    }

    /**
     * Reads the text of a property back. A text that is none of this type, since a program between has changed it, stays a
     * string: then it is still there to be read.
     */
    Object parse(String text) {
        try {
            return switch (this) {
                case BOOLEAN -> parseBoolean(text);
                case BYTE -> Byte.valueOf(text);
                case SHORT -> Short.valueOf(text);
                case INT -> Integer.valueOf(text);
                case LONG -> Long.valueOf(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case NULL, CHAR, STRING, BYTES -> text;
            };
        } catch (NumberFormatException changed) {
            return text;
        }
    }

    private static Object parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> text;
        };
    }
}
