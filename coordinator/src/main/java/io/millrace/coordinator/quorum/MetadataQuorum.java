package io.millrace.coordinator.quorum;

import java.util.List;

/**
 * A replicated log with one leader at a time.
 *
 * <p>A member proposes records in the epoch that it leads; every member is told of the committed ones in the same order. Epochs grow
 * over everything, restarts included, so whoever carries a smaller one outside the log is out of date.
 *
 * <p>The methods may be called from any thread and do not wait for a disk or the network, {@link #close()} excepted.
 */
public interface MetadataQuorum extends AutoCloseable {

    /**
     * Begins to take part and to call the listener. Called once.
     *
     * @param listener the state machine
     */
    void start(QuorumListener listener);

    /** Returns this member's id. */
    int memberId();

    /**
     * Returns who leads, as {@link QuorumListener#onLeaderChanged} was told last. A deposed leader hears of it late: whatever leaves
     * this process carries the epoch, and receivers refuse lower ones.
     */
    QuorumLeader leader();

    /**
     * Appends records to the log, all in one batch.
     *
     * @param epoch the epoch in which this member leads
     * @param records at least one, in order; not to be modified afterwards
     * @return what became of it so far
     */
    ProposeResult propose(int epoch, List<byte[]> records);

    /**
     * Asks for the log before {@code snapshot.end()} to be replaced by a snapshot. Done some time later; a newer request replaces one
     * that was not begun.
     *
     * @param snapshot the state to keep
     */
    void requestSnapshot(QuorumSnapshot snapshot);

    /**
     * Gives leadership up, if this member still leads in {@code epoch}, so that another one takes over without waiting for a timeout. In
     * a group of one the same member leads again in a new epoch.
     *
     * @param epoch the epoch to end
     */
    void resign(int epoch);

    /** Hands leadership over where it can, stops, and waits until the log is closed. No callback comes afterwards. */
    @Override
    void close();
}
