package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What survives of all cursors of a partition: replayed from the cursor log, and written to it as an image.
 *
 * <p>Records of the log may be lost, if an operator accepted that. What follows them is then taken as far as it goes, so that no message is
 * lost with them: a cursor that is named and was never created begins at offset 0, what was acknowledged without a trace is unacknowledged,
 * and an image counts for the cursors that are in it. A whole image behind the loss makes everything good again.
 */
final class CursorStates {

    /** An image that is being read; it counts once its end was read. */
    private static final class Image {
        private final int cursors;
        private final Map<CursorId, CursorState> states = new LinkedHashMap<>();
        private int parts;
        private boolean incomplete;

        Image(int cursors) {
            this.cursors = cursors;
        }
    }

    private Map<CursorId, CursorState> states = new LinkedHashMap<>();
    private @Nullable Image image;
    private boolean incomplete;
    private final Set<CursorId> restored = new LinkedHashSet<>();

    /** Records of the log are lost at this place of the replay. */
    void onLoss() {
        incomplete = true;
        if (image != null) {
            image.incomplete = true;
        }
    }

    /** Returns whether records are lost that no image makes up for. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** Returns the cursors whose creation is lost, and that begin at offset 0 for that reason. */
    Set<CursorId> restored() {
        return restored;
    }

    /** Returns the states by cursor, in the order of their creation. */
    Map<CursorId, CursorState> byCursor() {
        return states;
    }

    /**
     * Applies one record of the cursor log.
     *
     * @throws InconsistentCursorLogException if the record does not fit what was replayed before
     */
    void replay(CursorRecord record) {
        switch (record) {
            case CursorRecord.ImageBegin begin -> {
                endTornImage();
                image = new Image(begin.cursors());
            }
            case CursorRecord.ImagePart part -> replay(part);
            case CursorRecord.ImagePending pending -> replay(pending);
            case CursorRecord.ImageEnd end -> replay(end);
            case CursorRecord.Created created -> create(created);
            case CursorRecord.Acknowledged acknowledged ->
                state(acknowledged.cursor()).replay(acknowledged);
            case CursorRecord.Attempts attempts -> {
                CursorState state = state(attempts.cursor());
                if (incomplete) {
                    state.replayLeniently(attempts);
                } else {
                    state.replay(attempts);
                }
            }
            case CursorRecord.Horizon horizon ->
                state(horizon.cursor()).setHorizon(horizon.horizon(), horizon.uncertainBelow());
            case CursorRecord.Moved moved -> state(moved.cursor()).moveTo(moved.startOffset());
            case CursorRecord.Deleted deleted -> delete(deleted.cursor());
            case CursorRecord.Truncated truncated -> truncate(truncated.offset());
            case CursorRecord.PendingAcknowledged pending -> {
                CursorState state = state(pending.cursor());
                if (incomplete) {
                    state.replayPendingLeniently(pending.transaction(), pending.ranges());
                } else {
                    state.replayPending(pending.transaction(), pending.ranges());
                }
            }
            case CursorRecord.TransactionEnded ended ->
                current().values().forEach(state -> state.endPending(ended.marker(), ended.commit()));
        }
    }

    /** No record follows. */
    void endReplay() {
        endTornImage();
    }

    /** The end of an image may be among what is lost: then what is there of it counts for its cursors. */
    private void endTornImage() {
        Image torn = image;
        image = null;
        if (torn != null && torn.incomplete) {
            states.putAll(torn.states);
        }
    }

    CursorState create(CursorRecord.Created created) {
        CursorState state = new CursorState(created.cursor(), created.startOffset(), created.horizon(), 0);
        Map<CursorId, CursorState> current = current();
        if (current.containsKey(created.cursor()) && !incomplete) {
            throw new InconsistentCursorLogException("cursor " + created.cursor() + " is created a second time");
        }
        current.put(created.cursor(), state);
        return state;
    }

    void delete(CursorId cursor) {
        if (current().remove(cursor) == null && !incomplete) {
            throw unknown(cursor);
        }
    }

    private void truncate(long offset) {
        current().values().forEach(state -> state.truncate(offset));
    }

    private CursorState state(CursorId cursor) {
        CursorState state = current().get(cursor);
        if (state == null && incomplete) {
            state = new CursorState(cursor, 0, 0, 0);
            states.put(cursor, state);
            restored.add(cursor);
        }
        if (state == null) {
            throw unknown(cursor);
        }
        return state;
    }

    /** An image that another record follows instead of its end was torn by a crash, and what was replayed before it holds. */
    private Map<CursorId, CursorState> current() {
        endTornImage();
        return states;
    }

    private static InconsistentCursorLogException unknown(CursorId cursor) {
        return new InconsistentCursorLogException(
                "a record names cursor " + cursor + ", which does not exist at this place of the log");
    }

    // ---- images -------------------------------------------------------------------------------------------------

    private void replay(CursorRecord.ImagePart part) {
        if (image == null && incomplete) {
            // Its beginning is lost.
            image = new Image(-1);
            image.incomplete = true;
        }
        Image reading = requireImage("a part");
        reading.parts++;
        CursorState before = reading.states.get(part.cursor());
        if (reading.incomplete && before != null && !before.agreesWith(part)) {
            // What is lost goes from within one image to within another one.
            reading.states.remove(part.cursor());
        }
        reading.states
                .computeIfAbsent(
                        part.cursor(),
                        id -> new CursorState(id, part.startOffset(), part.horizon(), part.uncertainBelow()))
                .replay(part);
    }

    private void replay(CursorRecord.ImagePending pending) {
        if (image == null && incomplete) {
            // Its beginning is lost, with what else it says of this cursor.
            return;
        }
        Image reading = requireImage("pending acknowledgements");
        reading.parts++;
        CursorState state = reading.states.get(pending.cursor());
        if (state != null && reading.incomplete) {
            state.replayPendingLeniently(pending.transaction(), pending.ranges());
        } else if (state != null) {
            state.replayPending(pending.transaction(), pending.ranges());
        } else if (!reading.incomplete) {
            throw new InconsistentCursorLogException(
                    "an image has pending acknowledgements of cursor " + pending.cursor() + " before its first part");
        }
    }

    private void replay(CursorRecord.ImageEnd end) {
        if (incomplete && (image == null || image.incomplete)) {
            endTornImage();
            return;
        }
        Image reading = requireImage("an end");
        if (end.cursors() != reading.cursors
                || end.cursors() != reading.states.size()
                || end.parts() != reading.parts) {
            throw new InconsistentCursorLogException("an image of " + reading.cursors + " cursors ended after "
                    + reading.states.size() + " cursors in " + reading.parts + " parts, and its end says " + end);
        }
        states = reading.states;
        image = null;
        incomplete = false;
        restored.clear();
    }

    private Image requireImage(String what) {
        if (image == null) {
            throw new InconsistentCursorLogException(what + " of an image without the image's beginning");
        }
        return image;
    }

    /** Returns the records of an image of all cursors. */
    List<CursorRecord> image() {
        List<CursorRecord> records = new ArrayList<>();
        records.add(new CursorRecord.ImageBegin(states.size()));
        for (CursorState state : states.values()) {
            addParts(state, records);
            addPending(state, records);
        }
        records.add(new CursorRecord.ImageEnd(states.size(), records.size() - 1));
        return records;
    }

    private static void addParts(CursorState state, List<CursorRecord> records) {
        List<List<OffsetRange>> acknowledged = Ranges.split(Ranges.of(state.acknowledged()));
        List<List<AttemptRange>> attempts = Ranges.split(Ranges.attemptsOf(state));
        // All acknowledgements come before the first attempts, which are checked against them: the last piece of the
        // one and the first
        // piece of the other share a part.
        int attemptsFrom = Math.max(0, acknowledged.size() - 1);
        int parts = Math.max(1, Math.max(acknowledged.size(), attemptsFrom + attempts.size()));
        for (int part = 0; part < parts; part++) {
            records.add(new CursorRecord.ImagePart(
                    state.id(),
                    state.startOffset(),
                    state.horizon(),
                    state.uncertainBelow(),
                    part < acknowledged.size() ? acknowledged.get(part) : List.of(),
                    part < attemptsFrom ? List.of() : piece(attempts, part - attemptsFrom)));
        }
    }

    private static void addPending(CursorState state, List<CursorRecord> records) {
        for (ProducerIdentity transaction : state.pending().transactions()) {
            for (List<OffsetRange> ranges :
                    Ranges.split(Ranges.of(state.pending().of(transaction)))) {
                records.add(new CursorRecord.ImagePending(state.id(), transaction, ranges));
            }
        }
    }

    private static <T> List<T> piece(List<List<T>> pieces, int index) {
        return index < pieces.size() ? pieces.get(index) : List.of();
    }
}
