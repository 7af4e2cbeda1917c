package io.millrace.broker.internal.transaction.narayana;

/** The steps of a commit for somebody who waits for each. */
public interface WaitingSteps {

    /** Returns whether everything that the transaction wrote is durable. */
    boolean prepare();

    /**
     * Writes the decision, and returns when it is durable.
     *
     * @throws UndecidedException if it is not, or nobody knows. Then nothing more may be done about the transaction here.
     */
    void decide();

    /** Returns whether the participants were told. */
    boolean tell();
}
