package io.millrace.coordinator.transaction;

/** Hears of prepared branches that nobody decides. On the coordinator's shard. */
public interface BranchAlerts {

    /**
     * A branch has waited for a decision for too long. Told once, until it {@linkplain #onOver is over}; and once more after a restart.
     *
     * @param branch as it is now
     * @param waitingMs for how long it has been prepared, since the coordinator knows it
     */
    void onInDoubt(TransactionRecord branch, long waitingMs);

    /**
     * A branch that {@link #onInDoubt} was told of is decided, and is in nobody's way any more.
     *
     * @param branch as it was in the end, with the outcome as its state
     * @param waitedMs for how long it was in the way
     */
    void onOver(TransactionRecord branch, long waitedMs);
}
