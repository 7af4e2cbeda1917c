package io.millrace.coordinator.transaction;

/** Somebody who does transactions, one after the other. */
interface SimulatedClient {

    /** Does the next thing, unless an answer is waited for. */
    void act();

    /** Begins nothing new. */
    void retire();

    /** Does what is needed to end what was begun; called until nothing happens any more. */
    void settle();
}
