package io.millrace.coordinator.transaction;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** Who works on a branch at present. Associations are of sessions, and not logged: a prepared branch has none. */
final class Branch {

    private final Set<UUID> active = new HashSet<>();
    private final Set<UUID> suspended = new HashSet<>();
    private boolean doomed;

    boolean isFree() {
        return active.isEmpty() && suspended.isEmpty();
    }

    /** Returns who works on it, or has suspended that. */
    Set<UUID> sessions() {
        Set<UUID> all = new HashSet<>(active);
        all.addAll(suspended);
        return all;
    }

    /** Returns whether it can only be rolled back. */
    boolean isDoomed() {
        return doomed;
    }

    void doom() {
        doomed = true;
    }

    void join(UUID session) {
        if (!active.add(session)) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE, "session " + session + " works on this branch already");
        }
    }

    void resume(UUID session) {
        if (!suspended.remove(session)) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE, "session " + session + " has not suspended this branch");
        }
        active.add(session);
    }

    void suspend(UUID session) {
        requireActive(session);
        active.remove(session);
        suspended.add(session);
    }

    /** A session has done its part; a suspended one need not resume before. */
    void leave(UUID session) {
        if (!suspended.remove(session)) {
            requireActive(session);
            active.remove(session);
        }
    }

    private void requireActive(UUID session) {
        if (!active.contains(session)) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE, "session " + session + " does not work on this branch");
        }
    }

    /** Returns whether a session that is gone was working on it. */
    boolean drop(UUID session) {
        boolean wasActive = active.remove(session);
        return suspended.remove(session) || wasActive;
    }
}
