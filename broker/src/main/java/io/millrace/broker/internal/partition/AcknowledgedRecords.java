package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.OffsetRange;
import java.util.List;

/**
 * Records of one acquisition that an application is done with.
 *
 * @param cursor whose records they are
 * @param consumer to which they were lent
 * @param acquisition under which they were lent
 * @param ranges which records
 */
public record AcknowledgedRecords(
        CursorId cursor, ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges) {

    /** Copies the list. */
    public AcknowledgedRecords {
        ranges = List.copyOf(ranges);
    }
}
