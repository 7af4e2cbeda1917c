package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.partition.CursorDispatch.Outgoing;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.LendingRoom;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks for what consumers with a selector want of a cursor, in steps of which each is bounded, so that others get their turn. On the shard.
 *
 * <p>A selector sees records ahead of what the cursor lends at present: whatever it refuses needs neither a place in the window nor a dispatch
 * horizon.
 */
final class SelectiveDispatch {

    /** Records that are looked at in a step. */
    private static final int STEP_RECORDS = 1_024;

    /** What looking at a record costs of the bytes of a turn. */
    private static final int LOOK_COST = 16;

    private final Cursor cursor;
    private final CursorBatches batches;
    private final Lender lender;
    private final RecordOrigin origin;
    private final Supplier<BatchReader> readers;
    private final Map<ConsumerFilter, SelectiveScan> scans = new HashMap<>();

    SelectiveDispatch(
            Cursor cursor, CursorBatches batches, Lender lender, RecordOrigin origin, Supplier<BatchReader> readers) {
        this.cursor = cursor;
        this.batches = batches;
        this.lender = lender;
        this.origin = origin;
        this.readers = readers;
    }

    /** A consumer comes. */
    SelectiveScan join(ConsumerFilter filter) {
        SelectiveScan scan =
                scans.computeIfAbsent(filter, unknown -> new SelectiveScan(filter, cursor, readers.get(), origin));
        scan.join();
        return scan;
    }

    /** A consumer leaves. */
    void leave(SelectiveScan scan) {
        if (scan.leave()) {
            scans.remove(scan.filter());
        }
    }

    /**
     * Looks at some records for a consumer, and lends it what it wants of them. If there is nothing more for it now, it is sated.
     *
     * @param maxRecords how many it gets at most, 1 or more
     * @param out takes the deliveries
     * @return what that costs of the bytes of the turn
     */
    int dispatch(ConsumerState consumer, SelectiveScan scan, int maxRecords, long highWatermark, List<Outgoing> out) {
        scan.waitsForHorizon(false);
        List<OffsetRange> candidates = new ArrayList<>(scan.candidates(STEP_RECORDS));
        if (candidates.isEmpty()) {
            scan.reader().forget();
            consumer.setSated(true);
            return 0;
        }
        int cost = 0;
        int wanted = maxRecords;
        while (!candidates.isEmpty() && wanted > 0 && consumer.hasCredit()) {
            Optional<RecordBatch> found = batches.find(scan.reader(), candidates.getFirst(), highWatermark);
            if (found.isEmpty()) {
                consumer.setSated(true);
                return cost;
            }
            RecordBatch batch = found.get();
            long end = batches.takeOutEmpty(batch, candidates.getFirst());
            if (end == candidates.getFirst().firstOffset()) {
                LendingRoom room = cursor.room();
                Selection selection =
                        Selection.of(batch, candidates, consumer.bytes(), wanted, record -> scan.look(record, room));
                lend(consumer, scan, batch, selection, out);
                cost += LOOK_COST * selection.looked() + selection.bytes();
                wanted -= selection.count();
                end = selection.endOffset();
                if (selection.isStopped()) {
                    onStopped(scan, room, end);
                    scan.lookedTo(end);
                    consumer.setSated(true);
                    return cost;
                }
            }
            scan.lookedTo(end);
            cost += LOOK_COST;
            removeBelow(candidates, end);
        }
        return cost;
    }

    private void lend(
            ConsumerState consumer, SelectiveScan scan, RecordBatch batch, Selection selection, List<Outgoing> out) {
        selection.missing().forEach(cursor::skip);
        if (scan.filter().exclusive()) {
            selection.refused().forEach(cursor::skip);
        }
        if (!selection.isEmpty()) {
            lender.lend(consumer, batch, selection, out);
        }
    }

    private void onStopped(SelectiveScan scan, LendingRoom room, long offset) {
        if (room.isBelowHorizonOnly()) {
            cursor.extendHorizonBeyond(offset);
            scan.waitsForHorizon(true);
        }
    }

    private static void removeBelow(List<OffsetRange> candidates, long offset) {
        int done = 0;
        while (done < candidates.size() && candidates.get(done).endOffset() <= offset) {
            done++;
        }
        candidates.subList(0, done).clear();
        if (!candidates.isEmpty() && candidates.getFirst().firstOffset() < offset) {
            candidates.set(0, new OffsetRange(offset, candidates.getFirst().endOffset()));
        }
    }
}
