package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.OffsetRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Lends records that failed often in smaller and smaller portions, and the last time alone. A record that kills its consumer takes the others
 * along that were lent with it: so it is found out before they have used up their deliveries too.
 */
final class ShareCaution {

    private ShareCaution() {}

    /**
     * Returns what of some records should be lent at a time.
     *
     * @param lendable records that may be lent, in their order
     * @param maxDeliveries after so many a record is given up; those that had as many are no danger to anybody
     */
    static List<OffsetRange> portion(Cursor cursor, List<OffsetRange> lendable, int maxDeliveries) {
        int carefulFrom = Math.max(2, (maxDeliveries + 1) / 2);
        List<OffsetRange> portion = new ArrayList<>();
        for (OffsetRange range : lendable) {
            long offset = range.firstOffset();
            while (offset < range.endOffset()) {
                int attempts = cursor.attempts(offset);
                long end = cursor.endOfEqualAttempts(offset, range.endOffset());
                if (attempts >= carefulFrom && attempts < maxDeliveries) {
                    if (portion.isEmpty()) {
                        long most = attempts == maxDeliveries - 1
                                ? 1
                                : Math.max(1, (end - offset) >> (attempts - carefulFrom + 1));
                        portion.add(new OffsetRange(offset, offset + most));
                    }
                    return portion;
                }
                portion.add(new OffsetRange(offset, end));
                offset = end;
            }
        }
        return portion;
    }
}
