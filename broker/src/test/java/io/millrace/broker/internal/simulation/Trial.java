package io.millrace.broker.internal.simulation;

import java.util.ArrayList;
import java.util.List;

/** A transaction as its client knows it, and what anybody saw of it. */
final class Trial {

    enum Outcome {
        /** The client was not told. */
        UNKNOWN,
        COMMITTED,
        ROLLED_BACK
    }

    final String name;
    /** What it sent, whether that arrived or not. */
    final List<String> sent = new ArrayList<>();
    /** What it acknowledged, whether that arrived or not. */
    final List<String> acknowledged = new ArrayList<>();
    /** Whether anybody ever asked for its commit: else it is rolled back, whatever happens. */
    boolean commitAsked;

    private Outcome told = Outcome.UNKNOWN;
    private boolean seenCommitted;
    private boolean seenRolledBack;

    Trial(String name) {
        this.name = name;
    }

    Outcome outcome() {
        return told;
    }

    /** The client was told how it ended. */
    void told(Outcome outcome) {
        check(told == Outcome.UNKNOWN || told == outcome, "was told of " + told + ", and then of " + outcome);
        check(
                outcome != Outcome.COMMITTED || !seenRolledBack,
                "is said to be committed, and what it acknowledged came again");
        check(outcome != Outcome.ROLLED_BACK || !seenCommitted, "is said to be rolled back, and what it sent was seen");
        told = outcome;
    }

    /** Somebody saw something that is there only if it was committed. */
    void mustBeCommitted(String because) {
        check(commitAsked, "was never asked to commit, and " + because);
        check(told != Outcome.ROLLED_BACK, "was rolled back, and " + because);
        check(!seenRolledBack, "cannot have committed since what it acknowledged came again, and " + because);
        seenCommitted = true;
    }

    /** Somebody saw something that is there only if it was not, and never will be, committed. */
    void mustBeRolledBack(String because) {
        check(told != Outcome.COMMITTED, "was committed, and " + because);
        check(!seenCommitted, "has committed since what it sent was seen, and " + because);
        seenRolledBack = true;
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(this + " " + otherwise);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
