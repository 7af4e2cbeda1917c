package io.millrace.broker.internal.security;

import java.util.HashSet;
import java.util.Set;

/** Reads {@code super.users}: principals that may do everything. */
public final class SuperUsers {

    private SuperUsers() {}

    /** Returns the principals of a list that is separated by semicolons, as names of certificates have commas. */
    public static Set<String> of(String text) {
        Set<String> principals = new HashSet<>();
        for (String principal : text.split(";", -1)) {
            if (!principal.isBlank()) {
                principals.add(principal.strip());
            }
        }
        return Set.copyOf(principals);
    }
}
