package io.millrace.coordinator.transaction;

import java.util.Objects;
import java.util.Optional;

/**
 * The identities of a transaction over time.
 *
 * @param current under which it is written now; while it ends, the one of its markers
 * @param next which it has once it has ended, if that is another one
 * @param previous which it had before; while it ends, under which it wrote, if that is another one than that of its markers
 * @param fenced whether whoever has the previous one is to be refused, rather than answered once more because an answer was lost
 */
public record Identities(
        ProducerIdentity current,
        Optional<ProducerIdentity> next,
        Optional<ProducerIdentity> previous,
        boolean fenced) {

    public Identities {
        Objects.requireNonNull(current, "current");
    }

    /** Returns the identities of a transaction that had no other before. */
    public static Identities of(ProducerIdentity current) {
        return new Identities(current, Optional.empty(), Optional.empty(), false);
    }

    /** Returns the identities after an end or a beginning; whoever has the one before may ask again. */
    static Identities after(ProducerIdentity previous, ProducerIdentity current) {
        return new Identities(current, Optional.empty(), Optional.of(previous), false);
    }

    Identities withNext(ProducerIdentity other) {
        return new Identities(current, Optional.of(other), previous, fenced);
    }

    Identities fencing() {
        return new Identities(current, next, previous, true);
    }

    /** Returns under which a transaction wrote that is ending. */
    ProducerIdentity wrote() {
        return previous.orElse(current);
    }

    /** Returns whether a request under this identity is a late repetition. */
    boolean wasBefore(ProducerIdentity identity) {
        return !fenced && previous.filter(identity::equals).isPresent();
    }
}
