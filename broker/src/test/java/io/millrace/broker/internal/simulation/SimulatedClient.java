package io.millrace.broker.internal.simulation;

/** Somebody who does transactions, one after the other. */
interface SimulatedClient {

    /** Returns what it is called in the history. */
    String name();

    /** Does the next thing, unless an answer is waited for. */
    void act();

    /** Begins nothing new, and ends what was begun; called until it {@link #isDone}. */
    void settle();

    /** Returns whether all that was begun has ended, and the client has left. */
    boolean isDone();
}
