package io.millrace.coordinator.quorum;

/**
 * The state machine on top of a quorum.
 *
 * <p>All methods are called by the quorum's thread, one after the other, in the order of the log, and must not block: an implementation
 * that has a thread of its own posts to it. An exception stops the quorum for good and is reported as a fault.
 */
public interface QuorumListener {

    /**
     * The next records of the log. Each batch comes once, without gaps, between starts of the process.
     *
     * @param batch what was committed
     */
    void onCommitted(CommittedBatch batch);

    /**
     * The state begins anew: at the start from the newest snapshot, or later when this member fell so far behind that the leader no
     * longer has the records in between. Everything replayed before is to be forgotten; the batches that follow continue after
     * {@code snapshot.end()}.
     *
     * @param snapshot the state, whose records are valid only during this call
     */
    void onSnapshot(QuorumSnapshot snapshot);

    /**
     * Another leader or epoch became known. This member is told of its own leadership only after everything that earlier leaders
     * committed has come through {@link #onCommitted}. What it proposed in earlier epochs and has not seen committed by then is of
     * unknown fate: a later leader may have it.
     *
     * @param leader who leads now
     */
    void onLeaderChanged(QuorumLeader leader);
}
