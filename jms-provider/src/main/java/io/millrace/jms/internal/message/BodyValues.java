package io.millrace.jms.internal.message;

import jakarta.jms.MessageFormatException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of map and stream bodies: boxed primitives, strings, byte arrays, {@code null}. */
final class BodyValues {
    private static final Set<Class<?>> CLASSES = Set.of(
            Boolean.class,
            Byte.class,
            Short.class,
            Character.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            String.class,
            byte[].class);

    private BodyValues() {}

    /** Byte arrays are the only values that could change. */
    static @Nullable Object copy(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    /**
     * Returns the value as a message may keep it.
     *
     * @throws MessageFormatException if it is of a class that bodies cannot have
     */
    static @Nullable Object checkedCopy(@Nullable Object value, String what) throws MessageFormatException {
        if (value != null && !CLASSES.contains(value.getClass())) {
            throw new MessageFormatException(what + " cannot be of class "
                    + value.getClass().getName() + ": only boxed primitives, String and byte[] can");
        }
        return copy(value);
    }

    /** Returns {@code length} if that many bytes are there from {@code offset} on. */
    static int checkedLength(byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        return length;
    }
}
