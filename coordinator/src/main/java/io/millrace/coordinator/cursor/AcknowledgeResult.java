package io.millrace.coordinator.cursor;

import java.util.List;

/**
 * What became of an acknowledgement.
 *
 * @param acknowledged how many records it took out of the cursor; those that were acknowledged before are not counted
 * @param refused records that are neither acknowledged nor lent under the acquisition that was named: they come again. In the order of
 *     the request; of one over a badly fragmented region only the first ranges, one less than {@value #MAX_REFUSED}, are exact, and the
 *     last one covers all others
 */
public record AcknowledgeResult(long acknowledged, List<OffsetRange> refused) {

    /** Refused ranges that one acknowledgement reports at most. */
    public static final int MAX_REFUSED = 1_024;

    public AcknowledgeResult {
        refused = List.copyOf(refused);
    }
}
