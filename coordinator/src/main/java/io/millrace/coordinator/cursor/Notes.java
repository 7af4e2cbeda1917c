package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Acknowledgements, also pending ones, and attempts of one cursor that the current turn has made and not yet written.
 *
 * <p>Between two other records acknowledgements only add up, and of several changes of one record's attempts only the last matters,
 * and none once the record is acknowledged. So it is enough to remember which offsets changed, and to write their state at the end.
 */
final class Notes {

    private final OffsetSet acknowledged = new OffsetSet();
    private final OffsetSet attempts = new OffsetSet();
    private final Map<ProducerIdentity, OffsetSet> pending = new LinkedHashMap<>();

    boolean isEmpty() {
        return acknowledged.isEmpty() && attempts.isEmpty() && pending.isEmpty();
    }

    void acknowledged(long first, long end) {
        acknowledged.add(first, end);
    }

    void attempts(long first, long end) {
        attempts.add(first, end);
    }

    void pending(ProducerIdentity transaction, long first, long end) {
        pending.computeIfAbsent(transaction, key -> new OffsetSet()).add(first, end);
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
        if (!pending.isEmpty()) {
            pending.forEach((transaction, noted) -> {
                // What was moved over or dropped meanwhile is pending no more.
                noted.retain(state.pending().of(transaction));
                for (List<OffsetRange> ranges : Ranges.split(Ranges.of(noted))) {
                    records.add(new CursorRecord.PendingAcknowledged(state.id(), transaction, ranges));
                }
            });
            pending.clear();
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
