package io.millrace.coordinator.transaction;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How the transaction before the current one of a producer ended. All participants go by it, but their markers may get lost in a crash: then
 * they are told once more, before the producer goes on. It wrote under the previous identity, and its markers have the current one.
 *
 * @param commit whether what it wrote counts
 * @param participants who has to be told again
 */
public record UnsyncedEnd(boolean commit, Set<Participant> participants) {

    public UnsyncedEnd {
        participants = Collections.unmodifiableSet(new LinkedHashSet<>(participants));
    }
}
