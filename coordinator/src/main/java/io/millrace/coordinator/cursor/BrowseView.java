package io.millrace.coordinator.cursor;

import java.util.Optional;

/**
 * What is not consumed of a partition in the eyes of one cursor, whoever holds it; for those who look and take nothing. Acknowledgements and
 * records of transactions count when their transaction is committed: until then the former have not happened, and the latter are not there.
 *
 * <p>A view of the present state: good for one turn of the shard.
 */
public final class BrowseView {

    /**
     * Consecutive records that were delivered equally often.
     *
     * @param firstOffset the first of them
     * @param endOffset after the last of them
     * @param deliveryCount what the next delivery of each would be, as {@link Grant#deliveryCount} tells it
     */
    public record Run(long firstOffset, long endOffset, int deliveryCount) {}

    private final CursorState state;
    private final UndecidedRecords undecided;

    private BrowseView(CursorState state, UndecidedRecords undecided) {
        this.state = state;
        this.undecided = undecided;
    }

    /** Returns the view of a cursor; one that is not there yet has consumed nothing. */
    public static BrowseView of(PartitionCursors cursors, CursorId id) {
        CursorState state = cursors.cursor(id).map(Cursor::state).orElseGet(() -> new CursorState(id, 0, 0, 0));
        return new BrowseView(state, cursors.undecided());
    }

    /**
     * Finds the first run at or above an offset; some of its offsets may hold no record.
     *
     * @param offset 0 or greater
     * @param limit where to end: at most the high watermark
     */
    public Optional<Run> next(long offset, long limit) {
        long first = state.nextUnacknowledged(offset);
        while (undecided.all().contains(first)) {
            first = state.nextUnacknowledged(undecided.endOfRun(first));
        }
        if (first >= limit) {
            return Optional.empty();
        }
        long end = state.nextAcknowledged(first, limit);
        long hidden = undecided.all().nextPresent(first);
        end = hidden == OffsetSet.NONE ? end : Math.min(end, hidden);
        end = state.attempts().endOfEqual(first, end);
        int attempts = state.attempts().attempts(first);
        boolean guessed = state.attempts().isGuessed(first);
        if (attempts == 0 && first < state.uncertainBelow()) {
            guessed = true;
            end = Math.min(end, state.uncertainBelow());
        }
        return Optional.of(new Run(first, end, attempts + (guessed ? 2 : 1)));
    }
}
