package io.millrace.coordinator.cursor;

import java.util.List;
import java.util.Objects;

/**
 * What a consumer that comes back within its session's grace says it still has of one acquisition.
 *
 * @param acquisition names the acquisition
 * @param ranges records of it that the client holds and has not acknowledged
 */
public record HeldRecords(AcquisitionId acquisition, List<OffsetRange> ranges) {

    public HeldRecords {
        Objects.requireNonNull(acquisition, "acquisition");
        ranges = List.copyOf(ranges);
    }
}
