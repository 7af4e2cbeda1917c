package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.util.Map;
import java.util.Optional;

/**
 * A user with a password.
 *
 * @param name the user's name
 * @param credentials one for each mechanism that he can log in by, at least one
 */
public record ScramUser(String name, Map<ScramMechanism, ScramCredential> credentials) {

    public ScramUser {
        credentials = Map.copyOf(credentials);
    }

    /** Returns what to check his password by, if he can log in by that mechanism. */
    public Optional<ScramCredential> credential(ScramMechanism mechanism) {
        return Optional.ofNullable(credentials.get(mechanism));
    }
}
