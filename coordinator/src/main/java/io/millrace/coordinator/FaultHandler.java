package io.millrace.coordinator;

/**
 * Where a part of the broker reports that it cannot go on.
 *
 * <p>Called at most once per part, from any thread, after the part has stopped: nothing that it was asked for and has not confirmed may
 * be taken as done. The broker's answer is to halt, since going on without the part would mean to guess.
 */
@FunctionalInterface
public interface FaultHandler {

    /**
     * Takes note of a part that stopped.
     *
     * @param part what stopped, as "metadata quorum of broker 1"
     * @param cause why: an I/O failure, a broken invariant, a bug
     */
    void onFault(String part, Throwable cause);
}
