package io.millrace.jms.internal.message;

import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Which value may be read as which type: the tables of Jakarta Messaging 3.5.4 (properties) and 3.11.3 (map and stream bodies).
 * They agree where both have a row and a column; properties only have no characters and no byte arrays.
 *
 * <p>A {@code null} is read as the {@code valueOf(String)} of the type reads it: {@code false}, NumberFormatException or
 * NullPointerException; as a character it is a NullPointerException. The argument {@code what} names the value in messages.
 */
final class ValueConversions {
    private ValueConversions() {}

    static boolean toBoolean(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Boolean bool) {
            return bool;
        }
        return Boolean.parseBoolean(textOrNull(value, "boolean", what));
    }

    static byte toByte(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Byte number) {
            return number;
        }
        return Byte.parseByte(textOrNull(value, "byte", what));
    }

    static short toShort(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Byte || value instanceof Short) {
            return ((Number) value).shortValue();
        }
        return Short.parseShort(textOrNull(value, "short", what));
    }

    static char toChar(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Character character) {
            return character;
        }
        if (value == null) {
            throw new NullPointerException(what + " is null, which is no char");
        }
        throw invalid(value, "char", what);
    }

    static int toInt(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).intValue();
        }
        return Integer.parseInt(textOrNull(value, "int", what));
    }

    static long toLong(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        return Long.parseLong(textOrNull(value, "long", what));
    }

    static float toFloat(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Float number) {
            return number;
        }
        String text = textOrNull(value, "float", what);
        if (text == null) {
            throw new NullPointerException(what + " is null, which is no float");
        }
        return Float.parseFloat(text);
    }

    static double toDouble(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        String text = textOrNull(value, "double", what);
        if (text == null) {
            throw new NullPointerException(what + " is null, which is no double");
        }
        return Double.parseDouble(text);
    }

    static @Nullable String toText(@Nullable Object value, String what) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw invalid(value, "String", what);
        }
        return value == null ? null : value.toString();
    }

    /** A copy, so that the value in the message stays as it is. */
    static byte @Nullable [] toBytes(@Nullable Object value, String what) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        throw invalid(value, "byte[]", what);
    }

    /** The value of the primitives' {@code valueOf}, for values that are strings or {@code null}. */
    private static @Nullable String textOrNull(@Nullable Object value, String type, String what)
            throws MessageFormatException {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw invalid(value, type, what);
    }

    private static MessageFormatException invalid(Object value, String type, String what) {
        return new MessageFormatException(
                what + " is of type " + value.getClass().getSimpleName() + " and cannot be read as " + type);
    }
}
