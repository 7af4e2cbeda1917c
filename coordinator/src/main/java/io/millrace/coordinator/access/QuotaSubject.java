package io.millrace.coordinator.access;

import java.util.Objects;
import java.util.Optional;

/**
 * One user, client id or address, or all that have no quota of their own.
 *
 * @param name its name; empty for the default
 */
public record QuotaSubject(Optional<String> name) {

    /** Everybody without a quota of his own. */
    public static final QuotaSubject DEFAULT = new QuotaSubject(Optional.empty());

    public QuotaSubject {
        Objects.requireNonNull(name, "name");
    }

    /** Returns the one with this name. */
    public static QuotaSubject of(String name) {
        return new QuotaSubject(Optional.of(name));
    }
}
