package io.millrace.coordinator.quorum;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Who takes part in a quorum, and how long it waits.
 *
 * @param clusterId members of another cluster are refused
 * @param memberId this broker's id; one that is no voter observes
 * @param voters 1, 3 or 5 brokers, the same at every member, for the life of the cluster
 * @param fetchTimeoutMs without a word from the leader for so long, a voter stands for election; at least 600, since a fetch waits for up
 *     to 500
 * @param electionTimeoutMs how long a candidate waits for votes
 * @param electionBackoffMaxMs longest random wait after a lost election
 */
public record QuorumSettings(
        String clusterId,
        int memberId,
        List<QuorumVoter> voters,
        int fetchTimeoutMs,
        int electionTimeoutMs,
        int electionBackoffMaxMs) {

    private static final int MIN_FETCH_TIMEOUT_MS = 600;

    public QuorumSettings {
        Objects.requireNonNull(clusterId, "clusterId");
        voters = List.copyOf(voters);
        if (voters.size() != 1 && voters.size() != 3 && voters.size() != 5) {
            throw new IllegalArgumentException("a metadata quorum has 1, 3 or 5 voters, not " + voters.size());
        }
        Set<Integer> ids = new HashSet<>();
        for (QuorumVoter voter : voters) {
            if (!ids.add(voter.memberId())) {
                throw new IllegalArgumentException("voter " + voter.memberId() + " is named twice");
            }
        }
        if (memberId < 0) {
            throw new IllegalArgumentException("member id " + memberId + " is negative");
        }
        if (fetchTimeoutMs < MIN_FETCH_TIMEOUT_MS) {
            throw new IllegalArgumentException("a fetch timeout of " + fetchTimeoutMs + " ms is below "
                    + MIN_FETCH_TIMEOUT_MS + " ms, where leaders change for no reason");
        }
        if (electionTimeoutMs < 1 || electionBackoffMaxMs < 1) {
            throw new IllegalArgumentException("election timeout " + electionTimeoutMs + " ms, backoff "
                    + electionBackoffMaxMs + " ms: both must be at least 1");
        }
    }

    /**
     * Returns the settings for production: a leader that vanished is replaced within some 3 s.
     *
     * @param clusterId the cluster
     * @param memberId this broker
     * @param voters who votes
     */
    public static QuorumSettings of(String clusterId, int memberId, List<QuorumVoter> voters) {
        return new QuorumSettings(clusterId, memberId, voters, 2_000, 1_000, 1_000);
    }

    /**
     * Returns the settings of a broker that is a cluster by itself. Nobody connects to the address in it.
     *
     * @param clusterId the cluster
     * @param memberId this broker
     */
    public static QuorumSettings alone(String clusterId, int memberId) {
        return of(clusterId, memberId, List.of(new QuorumVoter(memberId, "localhost", 1)));
    }

    /** Says whether this member votes. */
    boolean isVoter() {
        return isVoter(memberId);
    }

    boolean isVoter(int id) {
        return voters.stream().anyMatch(voter -> voter.memberId() == id);
    }
}
