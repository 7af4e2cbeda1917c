package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.LendingRoom;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.SelectiveView;
import io.millrace.coordinator.selector.RecordMessage;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the consumers of a cursor that have the same selector have looked at its records, together: none is looked at twice, unless it was
 * lent and came back. On the shard.
 */
final class SelectiveScan {

    private final ConsumerFilter filter;
    private final Cursor cursor;
    private final BatchReader reader;
    private final RecordMessage message;

    /** Absent if what is refused leaves the cursor: then all that the cursor has is yet to be looked at. */
    private final @Nullable SelectiveView view;

    private int consumers;
    private boolean waitsForHorizon;

    /**
     * Creates a scan that has looked at nothing.
     *
     * @param reader of its own, since it is elsewhere in the log than others
     */
    SelectiveScan(ConsumerFilter filter, Cursor cursor, BatchReader reader, RecordOrigin origin) {
        this.filter = filter;
        this.cursor = cursor;
        this.reader = reader;
        this.message = new RecordMessage(origin);
        this.view = filter.exclusive() ? null : cursor.openView();
    }

    ConsumerFilter filter() {
        return filter;
    }

    BatchReader reader() {
        return reader;
    }

    void join() {
        consumers++;
    }

    /** Returns whether nobody is left. */
    boolean leave() {
        consumers--;
        if (consumers == 0 && view != null) {
            cursor.closeView(view);
        }
        return consumers == 0;
    }

    /** Lists records that nobody holds and that are yet to be looked at, in ascending order. */
    List<OffsetRange> candidates(int maxRecords) {
        return view == null ? cursor.free(maxRecords) : view.candidates(maxRecords);
    }

    /** What of the candidates lies below an offset was looked at. */
    void lookedTo(long endOffset) {
        if (view != null) {
            view.lookedTo(endOffset);
        }
    }

    /** Decides about a record. */
    RecordFilter.Verdict look(RecordCursor record, LendingRoom room) {
        if (!filter.selector().selects(message.on(record))) {
            return RecordFilter.Verdict.REFUSE;
        }
        return room.take(record.offset()) ? RecordFilter.Verdict.TAKE : RecordFilter.Verdict.STOP;
    }

    /** Says whether a record was found that may be lent once the dispatch horizon beyond it is durable. */
    void waitsForHorizon(boolean waits) {
        waitsForHorizon = waits;
    }

    /** Returns whether there is more to come without anybody asking: a read or a write is under way. */
    boolean isBusy() {
        return reader.isLoading() || waitsForHorizon;
    }
}
