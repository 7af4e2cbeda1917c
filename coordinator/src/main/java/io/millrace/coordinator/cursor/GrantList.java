package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/** Collects grants, joining neighbours that were delivered equally often. */
final class GrantList {

    private final List<Grant> grants = new ArrayList<>(2);

    void add(long first, long end, int attempts, boolean guessed) {
        if (!grants.isEmpty()) {
            Grant last = grants.getLast();
            if (last.endOffset() == first && last.attempts() == attempts && last.guessed() == guessed) {
                grants.removeLast();
                grants.add(grant(last.firstOffset(), end, attempts, guessed));
                return;
            }
        }
        grants.add(grant(first, end, attempts, guessed));
    }

    List<Grant> toList() {
        return grants;
    }

    private static Grant grant(long first, long end, int attempts, boolean guessed) {
        return new Grant(first, Math.toIntExact(end - first), attempts, guessed);
    }
}
