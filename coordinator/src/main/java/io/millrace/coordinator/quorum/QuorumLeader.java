package io.millrace.coordinator.quorum;

import java.util.OptionalInt;

/**
 * Who leads the quorum, as far as this member knows.
 *
 * @param epoch number of the term, never smaller than an earlier one at the same member, also over restarts; 0 before the first
 * @param leaderId the member that was elected in this epoch; empty while nobody was
 */
public record QuorumLeader(int epoch, OptionalInt leaderId) {

    /** Before anything was heard. */
    public static final QuorumLeader UNKNOWN = new QuorumLeader(0, OptionalInt.empty());

    public QuorumLeader {
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch " + epoch + " is negative");
        }
    }

    /** Says whether {@code memberId} is known to lead. */
    public boolean isLeader(int memberId) {
        return leaderId.isPresent() && leaderId.getAsInt() == memberId;
    }
}
