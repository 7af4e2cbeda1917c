package io.millrace.coordinator.metadata;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * What a program calls a durable subscription by: shared and unshared ones of a client have one namespace (JMS 3.1, 4.2.4).
 *
 * @param clientId client id of the connection; empty for a shared subscription of a connection without one
 * @param name the name given by the program
 */
public record SubscriptionKey(Optional<String> clientId, String name) implements Comparable<SubscriptionKey> {

    private static final Comparator<SubscriptionKey> ORDER = Comparator.<SubscriptionKey, Boolean>comparing(
                    key -> key.clientId.isPresent())
            .thenComparing(key -> key.clientId.orElse(""))
            .thenComparing(SubscriptionKey::name);

    public SubscriptionKey {
        Objects.requireNonNull(clientId, "clientId");
        Objects.requireNonNull(name, "name");
    }

    @Override
    public int compareTo(SubscriptionKey other) {
        return ORDER.compare(this, other);
    }
}
