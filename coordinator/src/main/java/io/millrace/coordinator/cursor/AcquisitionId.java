package io.millrace.coordinator.cursor;

import java.util.Objects;

/**
 * Identity of one acquisition: a burst of records lent to one consumer. Never given out twice for a partition, so an acknowledgement
 * that comes late, after its records were given to somebody else, cannot be taken for one of the new holder.
 *
 * @param term during which the records were lent
 * @param counter counts the acquisitions of a partition in one term, from 1
 */
public record AcquisitionId(LeaderTerm term, long counter) {

    public AcquisitionId {
        Objects.requireNonNull(term, "term");
        if (counter < 1) {
            throw new IllegalArgumentException("acquisitions are counted from 1, not " + counter);
        }
    }
}
