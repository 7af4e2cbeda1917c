package io.millrace.wire.message;

import java.nio.ByteBuffer;
import java.util.Objects;

/** What links a message to another one: a text or a native byte value of the provider (Jakarta Messaging 3.4.5). */
public sealed interface CorrelationId {
    /**
     * A message id or a string of the application.
     *
     * @param value any text
     */
    record Text(String value) implements CorrelationId {
        public Text {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * A native value.
     *
     * @param value any bytes; not copied, read-only, its position is not to be moved (take a {@link ByteBuffer#duplicate})
     */
    record Bytes(ByteBuffer value) implements CorrelationId {
        public Bytes {
            value = value.slice().asReadOnlyBuffer();
        }
    }
}
