package io.millrace.coordinator.metadata;

import io.millrace.coordinator.quorum.QuorumLeader;
import io.millrace.wire.MillraceException;

/** A command reached a broker that does not lead the metadata quorum. It was surely not done; the leader can be asked at once. */
public final class NotControllerException extends MillraceException {

    private final transient QuorumLeader leader;

    NotControllerException(int brokerId, QuorumLeader leader) {
        super(
                Category.RETRIABLE,
                "broker " + brokerId + " is not the controller; "
                        + (leader.leaderId().isPresent()
                                ? "broker " + leader.leaderId().getAsInt() + " is, in epoch " + leader.epoch()
                                : "no controller is known in epoch " + leader.epoch() + ", try again"));
        this.leader = leader;
    }

    /** Returns who leads, as far as the broker that was asked knows. */
    public QuorumLeader leader() {
        return leader;
    }
}
