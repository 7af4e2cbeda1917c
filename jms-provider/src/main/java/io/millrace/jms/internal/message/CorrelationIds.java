package io.millrace.jms.internal.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.wire.message.CorrelationId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** The two forms of a correlation id, each seen as the other. */
final class CorrelationIds {
    private CorrelationIds() {}

    static @Nullable String text(@Nullable CorrelationId id) {
        if (id instanceof CorrelationId.Bytes bytes) {
            try {
                return UTF_8.newDecoder().decode(bytes.value().duplicate()).toString();
            } catch (CharacterCodingException noText) {
                return null;
            }
        }
        return id instanceof CorrelationId.Text text ? text.value() : null;
    }

    static byte @Nullable [] bytes(@Nullable CorrelationId id) {
        if (id instanceof CorrelationId.Bytes bytes) {
            ByteBuffer value = bytes.value().duplicate();
            byte[] copy = new byte[value.remaining()];
            value.get(copy);
            return copy;
        }
        return id instanceof CorrelationId.Text text ? text.value().getBytes(UTF_8) : null;
    }
}
