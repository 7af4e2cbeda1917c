package io.millrace.coordinator.cursor;

import java.util.List;
import java.util.Objects;

/**
 * Records lent to a consumer in one burst.
 *
 * @param id names the acquisition in acknowledgements and releases
 * @param grants what was lent, in the order of the offsets, at least one
 */
public record Acquisition(AcquisitionId id, List<Grant> grants) {

    public Acquisition {
        Objects.requireNonNull(id, "id");
        grants = List.copyOf(grants);
        if (grants.isEmpty()) {
            throw new IllegalArgumentException("an acquisition lends at least one record");
        }
    }

    /** Returns how many records were lent. */
    public int count() {
        int count = 0;
        for (Grant grant : grants) {
            count += grant.count();
        }
        return count;
    }
}
