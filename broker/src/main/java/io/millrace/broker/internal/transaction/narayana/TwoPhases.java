package io.millrace.broker.internal.transaction.narayana;

/**
 * Narayana, seen from outside of its class loader: goes through the two phases of a commit, and returns when it is through. Public, like
 * {@link WaitingSteps}, since the classes behind it are in another runtime package.
 */
public interface TwoPhases {

    /** First phase, decision, second phase. Passes on what {@link WaitingSteps#decide} throws. */
    void commit(WaitingSteps steps);

    /** The second phase of a commit that is decided. */
    void redo(WaitingSteps steps);
}
