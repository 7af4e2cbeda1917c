package io.millrace.broker.internal.handler;

import io.millrace.coordinator.cursor.OffsetRange;
import java.util.ArrayList;
import java.util.List;

/** Ranges of offsets as the wire has them (first, count) and as cursors have them (first, end). */
final class Ranges {

    private Ranges() {}

    static List<OffsetRange> fromWire(List<io.millrace.wire.frame.OffsetRange> ranges) {
        return ranges.stream()
                .map(range -> OffsetRange.ofCount(range.firstOffset(), range.count()))
                .toList();
    }

    /** A range that is longer than the wire can say becomes several. */
    static List<io.millrace.wire.frame.OffsetRange> toWire(List<OffsetRange> ranges) {
        List<io.millrace.wire.frame.OffsetRange> result = new ArrayList<>(ranges.size());
        for (OffsetRange range : ranges) {
            for (long first = range.firstOffset(); first < range.endOffset(); first += Integer.MAX_VALUE) {
                int count = (int) Math.min(Integer.MAX_VALUE, range.endOffset() - first);
                result.add(new io.millrace.wire.frame.OffsetRange(first, count));
            }
        }
        return result;
    }
}
