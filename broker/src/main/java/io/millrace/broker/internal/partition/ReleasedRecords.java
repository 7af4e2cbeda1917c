package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.OffsetRange;
import java.util.List;

/**
 * Records of one acquisition that a client gives back.
 *
 * @param acquisition under which they were lent
 * @param ranges which records
 * @param seen whether the application saw them, so that the attempt counts
 */
public record ReleasedRecords(AcquisitionId acquisition, List<OffsetRange> ranges, boolean seen) {

    /** Copies the list. */
    public ReleasedRecords {
        ranges = List.copyOf(ranges);
    }
}
