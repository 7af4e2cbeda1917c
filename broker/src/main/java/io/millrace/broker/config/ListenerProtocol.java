package io.millrace.broker.config;

import java.util.Locale;
import java.util.Optional;

/** How a listener is secured. The native protocol and Kafka's both go through each. */
public enum ListenerProtocol {
    PLAINTEXT(false, false),
    SSL(true, false),
    SASL_PLAINTEXT(false, true),
    SASL_SSL(true, true);

    private final boolean tls;
    private final boolean sasl;

    ListenerProtocol(boolean tls, boolean sasl) {
        this.tls = tls;
        this.sasl = sasl;
    }

    /** Returns whether everything is encrypted. */
    public boolean usesTls() {
        return tls;
    }

    /** Returns whether clients must log in. */
    public boolean usesSasl() {
        return sasl;
    }

    static Optional<ListenerProtocol> named(String name) {
        for (ListenerProtocol protocol : values()) {
            if (protocol.name().equals(name.toUpperCase(Locale.ROOT))) {
                return Optional.of(protocol);
            }
        }
        return Optional.empty();
    }
}
