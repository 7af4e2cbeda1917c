package io.millrace.broker.internal.security;

import java.net.InetAddress;

/** Whom a listener without logins lets in who shows no certificate: {@code anonymous.enabled}. */
public enum AnonymousAccess {
    /** JMS clients of the broker's own machine, and Kafka clients of any, as Kafka's brokers do. */
    LOOPBACK,
    /** Everybody. */
    ANYWHERE,
    /** Nobody, by either protocol. */
    NOBODY;

    /** Returns what a setting means that was checked. */
    public static AnonymousAccess of(String setting) {
        return switch (setting) {
            case "true" -> ANYWHERE;
            case "false" -> NOBODY;
            default -> LOOPBACK;
        };
    }

    /** Returns whether a JMS client may come from an address. */
    public boolean allows(InetAddress peer) {
        return this == ANYWHERE || (this == LOOPBACK && peer.isLoopbackAddress());
    }

    /** Says why a client was refused. */
    public String refusal() {
        return this == NOBODY
                ? "clients without a login or a certificate are not let in here: anonymous.enabled is false"
                : "without a login or a certificate only clients on the broker's own machine are let in here:"
                        + " anonymous.enabled is loopback";
    }
}
