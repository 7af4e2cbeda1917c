package io.millrace.broker.internal.security;

import io.millrace.wire.login.CredentialLookup;
import io.millrace.wire.login.LoginException;
import io.millrace.wire.login.ScramCredential;
import io.millrace.wire.login.ScramHash;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The users of a listener's configuration as SCRAM needs them, behind those that the cluster keeps: a client takes the strongest login that is
 * offered, and does not know that a user is known to PLAIN alone. Made once: done with a login, it would show by its time that there is such a
 * user. From any thread.
 */
final class ConfiguredUsers implements CredentialLookup {

    private static final int SALT_BYTES = 16;

    private final CredentialLookup stored;
    private final Map<ScramHash, Map<String, ScramCredential>> configured = new EnumMap<>(ScramHash.class);

    private ConfiguredUsers(CredentialLookup stored) {
        this.stored = stored;
    }

    /**
     * Makes the credentials.
     *
     * @param passwords of the users of the configuration
     * @param hashes which are offered
     * @param random source of salts
     */
    static CredentialLookup of(
            CredentialLookup stored,
            Map<String, String> passwords,
            Iterable<ScramHash> hashes,
            RandomGenerator random) {
        if (passwords.isEmpty()) {
            return stored;
        }
        ConfiguredUsers users = new ConfiguredUsers(stored);
        for (ScramHash hash : hashes) {
            Map<String, ScramCredential> credentials = new HashMap<>();
            passwords.forEach((user, password) ->
                    derive(hash, password, random).ifPresent(credential -> credentials.put(user, credential)));
            users.configured.put(hash, Map.copyOf(credentials));
        }
        return users;
    }

    private static Optional<ScramCredential> derive(ScramHash hash, String password, RandomGenerator random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        try {
            // As many iterations as an unknown user seems to have.
            return Optional.of(ScramCredential.derive(hash, password, salt, ScramHash.MIN_ITERATIONS));
        } catch (LoginException empty) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<ScramCredential> find(String user, ScramHash hash) {
        return stored.find(user, hash)
                .or(() -> Optional.ofNullable(
                        configured.getOrDefault(hash, Map.of()).get(user)));
    }
}
