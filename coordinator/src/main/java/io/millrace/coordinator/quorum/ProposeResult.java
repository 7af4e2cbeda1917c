package io.millrace.coordinator.quorum;

/** What became of a proposal at once; only a later {@link QuorumListener#onCommitted} says that it is durable. */
public sealed interface ProposeResult {

    /**
     * Taken into the leader's log, to be written and replicated. Committed when a batch with this offset <em>and</em> the epoch of the
     * proposal comes; lost or of unknown fate when the leader changes before.
     *
     * @param lastOffset offset of the last record proposed
     */
    record Accepted(long lastOffset) implements ProposeResult {}

    /**
     * Surely not taken: this member does not lead in the epoch that the proposal names.
     *
     * @param leader who leads, as far as known
     */
    record NotLeader(QuorumLeader leader) implements ProposeResult {}

    /** Surely not taken: too much is waiting to be written. Try again when something was committed. */
    record Busy() implements ProposeResult {}

    /**
     * Surely not taken: the disk is full. Try again when there is space.
     *
     * @param what which disk, how full it is, and what to do
     */
    record NoSpace(String what) implements ProposeResult {}

    /**
     * Surely not taken: the records do not fit into one batch, and a proposal is never split.
     *
     * @param maxBytes what fits
     */
    record TooLarge(int maxBytes) implements ProposeResult {}
}
