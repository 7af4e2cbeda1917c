package io.millrace.coordinator.metadata;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What a program calls a durable subscription by: shared and unshared ones of a client have one namespace (JMS 3.1, 4.2.4). The further
 * cursors of a log, {@code log::name} to JMS and the share group {@code name} to Kafka clients, have one namespace for each log.
 *
 * @param cursorOf the log, where this is one of its further cursors
 * @param clientId client id of the connection; empty for a shared subscription of a connection without one, and for further cursors
 * @param name the name given by the program
 */
public record SubscriptionKey(Optional<UUID> cursorOf, Optional<String> clientId, String name)
        implements Comparable<SubscriptionKey> {

    private static final UUID NO_LOG = new UUID(0, 0);

    private static final Comparator<SubscriptionKey> ORDER = Comparator.<SubscriptionKey, Boolean>comparing(
                    key -> key.cursorOf.isPresent())
            .thenComparing(key -> key.cursorOf.orElse(NO_LOG))
            .thenComparing(key -> key.clientId.isPresent())
            .thenComparing(key -> key.clientId.orElse(""))
            .thenComparing(SubscriptionKey::name);

    public SubscriptionKey {
        Objects.requireNonNull(cursorOf, "cursorOf");
        Objects.requireNonNull(clientId, "clientId");
        Objects.requireNonNull(name, "name");
        if (cursorOf.isPresent() && clientId.isPresent()) {
            throw new IllegalArgumentException("a further cursor of a log belongs to no client");
        }
    }

    /** The key of a subscription. */
    public SubscriptionKey(Optional<String> clientId, String name) {
        this(Optional.empty(), clientId, name);
    }

    /** The key of a further cursor of a log. */
    public static SubscriptionKey ofCursor(UUID logId, String name) {
        return new SubscriptionKey(Optional.of(logId), Optional.empty(), name);
    }

    @Override
    public int compareTo(SubscriptionKey other) {
        return ORDER.compare(this, other);
    }
}
