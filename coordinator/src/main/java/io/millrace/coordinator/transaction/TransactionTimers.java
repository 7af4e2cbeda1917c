package io.millrace.coordinator.transaction;

/** Runs something later, on the coordinator's shard. */
@FunctionalInterface
public interface TransactionTimers {

    /**
     * Runs a task once.
     *
     * @param delayNs after so long, 0 or more
     */
    void schedule(long delayNs, Runnable task);
}
