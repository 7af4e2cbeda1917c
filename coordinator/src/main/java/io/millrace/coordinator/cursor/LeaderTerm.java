package io.millrace.coordinator.cursor;

/**
 * One uninterrupted time during which one broker leads a partition. Acquisitions live and end with it.
 *
 * @param leaderEpoch epoch of the partition's leader, 0 or greater, raised at every change of leader
 * @param brokerEpoch granted to the broker by the metadata log at each start, 0 or greater, so that a restarted leader does not
 *     honour acquisitions of its former life
 */
public record LeaderTerm(int leaderEpoch, long brokerEpoch) {

    public LeaderTerm {
        if (leaderEpoch < 0 || brokerEpoch < 0) {
            throw new IllegalArgumentException(
                    "epochs start at 0: leader epoch " + leaderEpoch + ", broker epoch " + brokerEpoch);
        }
    }
}
