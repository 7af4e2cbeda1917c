package io.millrace.wire.login;

import java.util.Optional;

/** The ways to log in that Millrace knows. */
public enum LoginMechanism {
    /** No identity. The server offers it only where it is configured to trust whoever reaches the port. */
    NONE("NONE"),
    /** User and password in the clear, RFC 4616: the server offers it only over TLS or loopback. */
    PLAIN("PLAIN"),
    /** Challenge and response, RFC 7677: neither side learns the other's secret. */
    SCRAM_SHA_256("SCRAM-SHA-256"),
    /** The same with the longer hash. */
    SCRAM_SHA_512("SCRAM-SHA-512");

    private final String wireName;

    LoginMechanism(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in frames, which for SASL mechanisms is the registered one. */
    public String wireName() {
        return wireName;
    }

    /**
     * Finds a mechanism by its name in frames.
     *
     * @param wireName any text
     * @return the mechanism, or empty for an unknown name
     */
    public static Optional<LoginMechanism> fromWireName(String wireName) {
        for (LoginMechanism mechanism : values()) {
            if (mechanism.wireName.equals(wireName)) {
                return Optional.of(mechanism);
            }
        }
        return Optional.empty();
    }
}
