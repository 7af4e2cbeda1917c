package io.millrace.coordinator.cursor;

/**
 * Bounds of a cursor.
 *
 * @param windowRecords unacknowledged records with delivery attempts (acquired, or released after a delivery) that a cursor tracks at
 *     most; when so many are out, it lends no fresh record until some are acknowledged or their attempts taken back
 * @param horizonStep offsets between two dispatch horizons in the cursor log. A cursor writes ahead between one and two steps, which
 *     is also how many records at most are marked as redelivered without having been delivered after an unclean start
 */
public record CursorLimits(int windowRecords, int horizonStep) {

    /** Bounds that fit a production broker. */
    public static final CursorLimits DEFAULT = new CursorLimits(100_000, 10_000);

    public CursorLimits {
        if (windowRecords < 1 || horizonStep < 1) {
            throw new IllegalArgumentException(
                    "limits are 1 or more: windowRecords " + windowRecords + ", horizonStep " + horizonStep);
        }
    }
}
