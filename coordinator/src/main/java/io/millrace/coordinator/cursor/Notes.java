package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledgements and attempts of one cursor that the current turn has made and not yet written.
 *
 * <p>Between two other records acknowledgements only add up, and of several changes of one record's attempts only the last matters,
 * and none once the record is acknowledged. So it is enough to remember which offsets changed, and to write their state at the end.
 */
final class Notes {

    private final OffsetSet acknowledged = new OffsetSet();
    private final OffsetSet attempts = new OffsetSet();

    boolean isEmpty() {
        return acknowledged.isEmpty() && attempts.isEmpty();
    }

    void acknowledged(long first, long end) {
        acknowledged.add(first, end);
    }

    void attempts(long first, long end) {
        attempts.add(first, end);
    }

    /** Appends the fewest records that take a replay to {@code state}, and forgets the notes. */
    void write(CursorState state, List<CursorRecord> records) {
        if (!acknowledged.isEmpty()) {
            for (List<OffsetRange> ranges : Ranges.split(Ranges.of(acknowledged))) {
                records.add(new CursorRecord.Acknowledged(state.id(), ranges));
            }
            acknowledged.clear();
        }
        if (!attempts.isEmpty()) {
            for (List<AttemptRange> ranges : Ranges.split(changedAttempts(state))) {
                records.add(new CursorRecord.Attempts(state.id(), ranges));
            }
            attempts.clear();
        }
    }

    private List<AttemptRange> changedAttempts(CursorState state) {
        List<AttemptRange> ranges = new ArrayList<>();
        long first = attempts.nextPresent(0);
        while (first != OffsetSet.NONE) {
            long end = attempts.nextAbsent(first);
            long from = state.nextUnacknowledged(first);
            while (from < end) {
                long to = state.attempts().endOfEqual(from, state.nextAcknowledged(from, end));
                ranges.add(Ranges.attemptsOf(state, from, to));
                from = state.nextUnacknowledged(to);
            }
            first = attempts.nextPresent(end);
        }
        return ranges;
    }
}
