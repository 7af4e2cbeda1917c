package io.millrace.broker.internal.security;

import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.config.ListenerKeys;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.login.CredentialLookup;
import io.millrace.wire.login.PasswordCheck;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.JaasContext;

/**
 * Checks passwords of PLAIN: those of the listener's configuration first, then those of the users that the cluster keeps. A wrong password
 * takes as long as a user who does not exist.
 */
final class PlainUsers implements PasswordCheck {

    private static final String OPTION = "user_";

    private final Map<String, String> configured;
    private final PasswordCheck stored;

    private PlainUsers(Map<String, String> configured, PasswordCheck stored) {
        this.configured = Map.copyOf(configured);
        this.stored = stored;
    }

    /**
     * Reads the users of a listener.
     *
     * @throws InvalidConfigException if its login modules are not in Kafka's form
     */
    static PlainUsers of(ListenerConfig listener, CredentialLookup stored) {
        return new PlainUsers(configured(listener), PasswordCheck.of(stored));
    }

    /**
     * Returns the passwords of a listener's users by name.
     *
     * @throws InvalidConfigException if its login modules are not in Kafka's form
     */
    static Map<String, String> configured(ListenerConfig listener) {
        Optional<String> jaas = listener.find(ListenerKeys.PLAIN_JAAS_CONFIG);
        if (jaas.isEmpty()) {
            jaas = listener.find(ListenerKeys.JAAS_CONFIG);
        }
        Map<String, String> users = new HashMap<>();
        if (jaas.isPresent()) {
            for (AppConfigurationEntry entry : parse(listener, jaas.get())) {
                entry.getOptions().forEach((option, password) -> {
                    if (option.startsWith(OPTION)) {
                        users.put(option.substring(OPTION.length()), String.valueOf(password));
                    }
                });
            }
        }
        return users;
    }

    private static Iterable<AppConfigurationEntry> parse(ListenerConfig listener, String jaas) {
        try {
            return JaasContext.loadServerContext(
                            new ListenerName(listener.name()),
                            "PLAIN",
                            Map.of("plain." + SaslConfigs.SASL_JAAS_CONFIG, new Password(jaas)))
                    .configurationEntries();
        } catch (IllegalArgumentException | KafkaException e) {
            throw new InvalidConfigException(
                    ListenerKeys.PLAIN_JAAS_CONFIG + " of listener " + listener.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean isRight(String user, String password) {
        String expected = configured.get(user);
        if (expected != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8))) {
            return true;
        }
        // Also for a user of the configuration whose password is wrong, so that the time does not tell that there is
        // one.
        return stored.isRight(user, password);
    }
}
