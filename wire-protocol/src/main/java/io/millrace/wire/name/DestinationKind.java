package io.millrace.wire.name;

import java.util.Locale;
import java.util.Optional;

/** What a destination is. Fixed when it is created; one name cannot be both. */
public enum DestinationKind {
    /** Each message goes to one consumer and then leaves. */
    QUEUE(1),
    /** Each message goes to every subscription and stays as long as retention says. */
    TOPIC(2);

    private final int id;

    DestinationKind(int id) {
        this.id = id;
    }

    /** Returns the number on the wire and in stored records: 1 or 2. */
    public int id() {
        return id;
    }

    /** Returns the word for people, in the command line and in messages: {@code queue} or {@code topic}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a kind by its number.
     *
     * @param id any number
     * @return the kind, or empty for an unknown number
     */
    public static Optional<DestinationKind> fromId(int id) {
        return switch (id) {
            case 1 -> Optional.of(QUEUE);
            case 2 -> Optional.of(TOPIC);
            default -> Optional.empty();
        };
    }
}
