package io.millrace.broker.internal.shard;

/** What calls {@link Shard#runTurn()} while there is something to do. */
public interface ShardRunner {

    /**
     * Ends after the present turn and waits for that. Tasks that are still queued do not run. Not to be called from the shard itself.
     */
    void stop();
}
