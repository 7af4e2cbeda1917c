package io.millrace.coordinator.access;

import java.util.Optional;

/** What a quota limits. Names are Kafka's. */
public enum QuotaKey {
    /** Bytes a second that may be produced. */
    PRODUCER_BYTE_RATE("producer_byte_rate", false),
    /** Bytes a second that may be fetched. */
    CONSUMER_BYTE_RATE("consumer_byte_rate", false),
    /** Share of the time of one thread, in percent. */
    REQUEST_PERCENTAGE("request_percentage", false),
    /** Created and deleted partitions and topics a second. */
    CONTROLLER_MUTATION_RATE("controller_mutation_rate", false),
    /** New connections of an address a second. */
    CONNECTION_CREATION_RATE("connection_creation_rate", true);

    private final String keyName;
    private final boolean perIp;

    QuotaKey(String keyName, boolean perIp) {
        this.keyName = keyName;
        this.perIp = perIp;
    }

    /** Returns its name in requests. */
    public String keyName() {
        return keyName;
    }

    /** Says whether it is for addresses, and not for users and client ids. */
    public boolean isPerIp() {
        return perIp;
    }

    /** Returns the key of this name. */
    public static Optional<QuotaKey> named(String name) {
        for (QuotaKey key : values()) {
            if (key.keyName.equals(name)) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }
}
