package io.millrace.broker.config;

import io.millrace.log.config.InvalidConfigException;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of Kafka that protect something and that there is nothing here to protect it with: a broker that has one in its file is not started,
 * and its operator is told what there is instead, rather than that the setting is unknown.
 */
final class RefusedKeys {

    private static final String LISTENER_PREFIX = "listener.name.";

    private static final String LOGINS =
            "clients log in with SCRAM-SHA-512, SCRAM-SHA-256 or PLAIN (sasl.enabled.mechanisms), or show certificates (ssl.client.auth)";

    /** Beginnings of names, and what is not there. */
    private static final Map<String, String> REFUSED = Map.of(
            "sasl.kerberos.", "there is no Kerberos here (GSSAPI): " + LOGINS,
            "sasl.oauthbearer.", "there is no OAuth here (OAUTHBEARER): " + LOGINS,
            "sasl.login.", "logins are not made by classes here: " + LOGINS,
            "sasl.server.callback.handler.class", "logins are not checked by classes here: " + LOGINS,
            "ssl.engine.factory.class",
                    "TLS is not made by classes here: ssl.keystore.* and ssl.truststore.* name keys and certificates",
            "ssl.provider", "TLS is that of the Java machine; choose the provider there, in its file java.security");

    private RefusedKeys() {}

    /**
     * Refuses a setting that is one of them.
     *
     * @throws InvalidConfigException if there is one
     */
    static void check(Map<String, String> texts) {
        for (String name : texts.keySet()) {
            reason(name).ifPresent(reason -> {
                throw new InvalidConfigException(name + " cannot be set: " + reason);
            });
        }
    }

    private static Optional<String> reason(String name) {
        String own = name;
        if (name.startsWith(LISTENER_PREFIX)) {
            int end = name.indexOf('.', LISTENER_PREFIX.length());
            own = name.substring(end + 1);
        }
        for (Map.Entry<String, String> refused : REFUSED.entrySet()) {
            // A mechanism may stand before the name: gssapi.sasl.server.callback.handler.class.
            if (own.startsWith(refused.getKey()) || own.contains("." + refused.getKey())) {
                return Optional.of(refused.getValue());
            }
        }
        return Optional.empty();
    }
}
