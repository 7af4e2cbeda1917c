package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/** Turns sets of offsets into the lists of ranges that records hold. */
final class Ranges {

    private Ranges() {}

    static List<OffsetRange> of(OffsetSet set) {
        List<OffsetRange> ranges = new ArrayList<>();
        long first = set.nextPresent(0);
        while (first != OffsetSet.NONE) {
            long end = set.nextAbsent(first);
            ranges.add(new OffsetRange(first, end));
            first = set.nextPresent(end);
        }
        return ranges;
    }

    /** Returns the attempts of all records that have any. */
    static List<AttemptRange> attemptsOf(CursorState state) {
        List<AttemptRange> ranges = new ArrayList<>();
        long first = state.attempts().nextKnown(0);
        while (first != OffsetSet.NONE) {
            long end = state.attempts().endOfEqual(first, Long.MAX_VALUE);
            ranges.add(attemptsOf(state, first, end));
            first = state.attempts().nextKnown(end);
        }
        return ranges;
    }

    /** Returns the attempts of a run of records that have equal ones. */
    static AttemptRange attemptsOf(CursorState state, long first, long end) {
        DeliveryAttempts attempts = state.attempts();
        return new AttemptRange(new OffsetRange(first, end), attempts.attempts(first), attempts.isGuessed(first));
    }

    /** Splits a list into lists that fit into one record each. */
    static <T> List<List<T>> split(List<T> ranges) {
        List<List<T>> pieces = new ArrayList<>();
        for (int from = 0; from < ranges.size(); from += CursorRecord.MAX_RANGES) {
            pieces.add(ranges.subList(from, Math.min(from + CursorRecord.MAX_RANGES, ranges.size())));
        }
        return pieces;
    }
}
