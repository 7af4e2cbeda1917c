package io.millrace.wire.message;

import java.util.Objects;
import java.util.Optional;

/**
 * Where an answer to a message is expected (Jakarta Messaging 3.4.6).
 *
 * @param kind what the name stands for
 * @param name the name as JMS clients know it, not empty
 */
public record ReplyTo(Kind kind, String name) {
    /** Kinds of destinations, with their number in the {@code jms} header. */
    public enum Kind {
        QUEUE(1),
        TOPIC(2),
        TEMPORARY_QUEUE(3),
        TEMPORARY_TOPIC(4);

        private final int id;

        Kind(int id) {
            this.id = id;
        }

        /** Returns the number that stands for this kind in records, 1 to 4. */
        public int id() {
            return id;
        }

        /** Returns the kind with this number, or empty when there is none. */
        public static Optional<Kind> forId(int id) {
            for (Kind kind : values()) {
                if (kind.id == id) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    public ReplyTo {
        Objects.requireNonNull(kind, "kind");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the destination of a reply needs a name");
        }
    }
}
