package io.millrace.coordinator.cursor;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All cursors of one partition.
 *
 * <p>It goes through two phases:
 * <ol>
 *   <li><b>Replay</b>: {@link #replay} is called with the records of the cursor log, from the first one of its first segment on.
 *   <li><b>Leading</b>: after {@link #lead}, cursors are created and used. In each turn of the shard the runtime lets any number of
 *       operations change the cursors, then calls {@link #endTurn}, appends the records as one batch, tells {@link #onAppended} where
 *       the cursor log ends now, and only then sends what the operations decided. When the cursor log's high watermark moves it calls
 *       {@link #onCursorLogHighWatermark}.
 * </ol>
 *
 * <p>There is no way back: a broker that stops leading, or whose append to the cursor log failed, throws this object away, and replays
 * the log into a new one. At every moment between two turns, the replay of everything that {@link #endTurn} returned so far gives the
 * same cursors, apart from what is in memory only (acquisitions, cursors that are not durable).
 *
 * <p>A new segment of the cursor log starts with {@link #image}; segments before it may be removed once that image is below the cursor
 * log's high watermark.
 *
 * <p>Not thread-safe: runs on the shard of its partition.
 */
public final class PartitionCursors {

    private final CursorLimits limits;
    private final LendingMemory memory;
    private final CursorStates states = new CursorStates();
    private final Map<CursorId, Cursor> cursors = new LinkedHashMap<>();
    private final UndecidedRecords undecided = new UndecidedRecords(cursors.values());
    private final RestingRecords resting = new RestingRecords();
    private @Nullable Leadership leadership;
    private Confirmations confirmations = new Confirmations(0);

    /** Creates the cursors of a partition whose cursor log is empty or will be replayed. */
    public PartitionCursors(CursorLimits limits) {
        this(limits, LendingMemory.unlimited());
    }

    /** The same with a bound over all partitions of the broker. */
    public PartitionCursors(CursorLimits limits, LendingMemory memory) {
        this.limits = limits;
        this.memory = memory;
    }

    // ---- replay and leadership ----------------------------------------------------------------------------------

    /**
     * Applies one record of the cursor log, before leading.
     *
     * @throws InconsistentCursorLogException if the record does not fit those before it
     */
    public void replay(CursorRecord record) {
        if (leadership != null) {
            throw new IllegalStateException("a leader's cursors change by operations, not by replay: " + record);
        }
        states.replay(record);
    }

    /** Records of the cursor log are lost here, between those that were replayed and those that follow; see {@link #isIncomplete}. */
    public void replayLoss() {
        if (leadership != null) {
            throw new IllegalStateException("a leader's cursors change by operations, not by replay");
        }
        states.onLoss();
    }

    /**
     * Returns whether records of the cursor log are lost, and no later image makes up for them. Nothing that was unacknowledged is lost
     * with them, but what was acknowledged may come again. A new image ends that.
     */
    public boolean isIncomplete() {
        return states.isIncomplete();
    }

    /**
     * Returns the end of what was delivered or acknowledged, as far as the replayed log tells: the data log had all records below it, and
     * they were below its high watermark. 0 if it tells of none. What happened in this term does not count.
     */
    public long seenEnd() {
        return states.byCursor().values().stream()
                .mapToLong(CursorState::seenEnd)
                .max()
                .orElse(0);
    }

    /** Returns the cursors whose creation is lost: they begin at offset 0. */
    public Set<CursorId> restored() {
        return Collections.unmodifiableSet(states.restored());
    }

    /** Has every record below an offset say that it may have been delivered before, in the first turn of a leader whose log is incomplete. */
    public void suspectDeliveriesBelow(long offset) {
        requireLeading();
        cursors.values().stream()
                .filter(Cursor::isDurable)
                .forEach(cursor -> cursor.lending().suspectDeliveriesBelow(offset));
    }

    /**
     * Begins to lead: nothing is lent, and everything unacknowledged may be lent once the first horizon is confirmed.
     *
     * <p>{@link #truncate} must be called with the end of the data log in the same turn. Nothing durable is lent before the cursor log is
     * safe up to the end that it has now, so the caller asks for a sync even if this turn writes nothing.
     *
     * @param term the new term, not used before
     * @param start whether all counts of deliveries are known to be in the log
     * @param cursorLogEndOffset end of the cursor log that was replayed, which counts when its high watermark reaches it
     */
    public void lead(LeaderTerm term, LeaderStart start, long cursorLogEndOffset) {
        if (leadership != null) {
            throw new IllegalStateException(
                    "leads already, in " + leadership.term() + ", when asked to lead in " + term);
        }
        states.endReplay();
        Leadership begun = new Leadership(term, limits, memory, undecided, resting);
        leadership = begun;
        for (CursorState state : states.byCursor().values()) {
            Cursor cursor = new Cursor(state, true, begun);
            cursors.put(state.id(), cursor);
            begun.transactions().restore(cursor);
        }
        confirmations = new Confirmations(cursorLogEndOffset == 0 ? Confirmations.NOTHING_NEEDED : 0);
        confirmations.onAppended(cursorLogEndOffset, earliestNeededByDurable(), replayedHorizons());
        cursors.values().forEach(cursor -> cursor.lending().onLead(start));
    }

    private List<HorizonStep> replayedHorizons() {
        return cursors.values().stream()
                .map(cursor -> new HorizonStep(cursor.lending(), cursor.state().horizon()))
                .toList();
    }

    /** Returns whether {@link #lead} was called. */
    public boolean isLeading() {
        return leadership != null;
    }

    // ---- cursors ------------------------------------------------------------------------------------------------

    /**
     * Creates a cursor that survives, or returns the one with this id as it is. It counts as created when the record of this turn is
     * below the cursor log's high watermark, and lends nothing before.
     *
     * @param id the subscription's UUID, or {@link CursorId#QUEUE}
     * @param startOffset the first offset that it delivers, 0 or greater
     */
    public Cursor create(CursorId id, long startOffset) {
        Leadership leading = requireLeading();
        Cursor existing = cursors.get(id);
        if (existing != null && existing.isDurable()) {
            return existing;
        }
        requireUnused(id);
        var created = new CursorRecord.Created(id, startOffset, startOffset + 2L * limits.horizonStep());
        leading.turn().write(created);
        Cursor cursor = new Cursor(states.create(created), true, leading);
        leading.turn().onHorizonRaised(cursor.lending(), created.horizon());
        cursors.put(id, cursor);
        leading.onStartsChanged();
        leading.onRewound();
        return cursor;
    }

    /**
     * Creates a cursor in memory only, which writes nothing and ends with the leader's term.
     *
     * @param id not used by another cursor
     * @param startOffset the first offset that it delivers, 0 or greater
     */
    public Cursor createNonDurable(CursorId id, long startOffset) {
        Leadership leading = requireLeading();
        requireUnused(id);
        Cursor cursor = new Cursor(new CursorState(id, startOffset, startOffset, 0), false, leading);
        cursors.put(id, cursor);
        return cursor;
    }

    /** Deletes a cursor, with all that is lent from it. Nothing happens if there is none. */
    public void delete(CursorId id) {
        Leadership leading = requireLeading();
        Cursor cursor = cursors.remove(id);
        if (cursor != null) {
            if (cursor.isDurable()) {
                leading.turn().write(new CursorRecord.Deleted(id));
                states.delete(id);
                leading.onStartsChanged();
            }
            cursor.onDeleted();
        }
    }

    /** Returns the cursor with an id; only a leader has any. */
    public Optional<Cursor> cursor(CursorId id) {
        return Optional.ofNullable(cursors.get(id));
    }

    /** Returns all cursors, durable or not, as an unmodifiable view; only a leader has any. */
    public Collection<Cursor> cursors() {
        return Collections.unmodifiableCollection(cursors.values());
    }

    // ---- transactions -------------------------------------------------------------------------------------------

    /** Returns the transactions that have acknowledgements here; only a leader has any. */
    public PendingTransactions transactions() {
        return requireLeading().transactions();
    }

    /** Returns the records of transactions that have not ended. They may be made known before leading. */
    public UndecidedRecords undecided() {
        return undecided;
    }

    /** Returns the records that came back and are not lent yet. Who leads the partition {@linkplain RestingRecords#wake wakes} them. */
    public RestingRecords resting() {
        return resting;
    }

    // ---- events -------------------------------------------------------------------------------------------------

    /** The data log's high watermark is {@code offset}: records below may be lent. A lower one than before is ignored. */
    public void onHighWatermark(long offset) {
        Leadership leading = requireLeading();
        leading.highWatermark(Math.max(offset, leading.highWatermark()));
    }

    /**
     * The data log ends at {@code dataLogEndOffset}: whatever the cursors know about records at or above it is void. To be called in the
     * first turn after {@link #lead}, since the data log may have lost its tail, and whenever it is cut later; nothing happens when no
     * cursor knows anything of the kind. The data log must not accept appends before the record of this turn is in the cursor log.
     */
    public void truncate(long dataLogEndOffset) {
        Leadership leading = requireLeading();
        leading.highWatermark(Math.min(leading.highWatermark(), dataLogEndOffset));
        undecided.cut(dataLogEndOffset);
        if (cursors.values().stream().noneMatch(cursor -> cursor.lending().reaches(dataLogEndOffset))) {
            return;
        }
        if (!states.byCursor().isEmpty()) {
            leading.turn()
                    .write(new CursorRecord.Truncated(
                            dataLogEndOffset, leading.term().leaderEpoch()));
        }
        leading.turn().takeHorizons();
        leading.onRewound();
        confirmations.forgetHorizons();
        cursors.values().forEach(cursor -> cursor.lending().onTruncated(dataLogEndOffset));
    }

    /** A client session has ended: what its consumers hold of any cursor comes back. */
    public void onSessionGone(UUID sessionId) {
        cursors.values().forEach(cursor -> cursor.onSessionGone(sessionId));
    }

    // ---- turns --------------------------------------------------------------------------------------------------

    /** Ends a turn: returns what it changed, to be appended to the cursor log before anything else happens to the cursors. */
    public CursorOutcome endTurn() {
        return requireLeading().turn().end();
    }

    /**
     * The records of the last {@link #endTurn}, or an image, are in the cursor log.
     *
     * @param cursorLogEndOffset its end now
     */
    public void onAppended(long cursorLogEndOffset) {
        confirmations.onAppended(
                cursorLogEndOffset,
                earliestNeededByDurable(),
                requireLeading().turn().takeHorizons());
    }

    /**
     * The cursor log is safe up to {@code offset}.
     *
     * @return whether a cursor may lend more than before, so that the dispatcher should look again
     */
    public boolean onCursorLogHighWatermark(long offset) {
        requireLeading();
        return confirmations.onHighWatermark(offset);
    }

    /**
     * Returns the records that open a new segment of the cursor log, all to be appended in one turn with nothing between them.
     *
     * @throws IllegalStateException if the current turn has changes that {@link #endTurn} has not returned
     */
    public List<CursorRecord> image() {
        if (leadership != null && !leadership.turn().isEmpty()) {
            throw new IllegalStateException(
                    "an image is taken between two turns: call endTurn first, and append what it returns");
        }
        return states.image();
    }

    // ---- retention ----------------------------------------------------------------------------------------------

    /** Returns the lowest offset of the data log that some cursor needs now; empty when there are no cursors. */
    public OptionalLong earliestNeededOffset() {
        return cursors.values().stream().mapToLong(Cursor::earliestNeededOffset).min();
    }

    /**
     * Returns the offset below which records may be removed for good: no cursor needs them now, nor after a crash that takes the cursor
     * log back to its high watermark. Empty when no cursor holds anything back.
     */
    public OptionalLong removableBelow() {
        long needed = confirmations.earliestNeededAfterCrash();
        for (Cursor cursor : cursors.values()) {
            needed = Math.min(needed, cursor.earliestNeededOffset());
        }
        return needed == Confirmations.NOTHING_NEEDED ? OptionalLong.empty() : OptionalLong.of(needed);
    }

    /** The same as {@link #removableBelow} for those who let retention take records from cursors that do not survive. */
    public OptionalLong removableBelowOfDurable() {
        long needed = Math.min(confirmations.earliestNeededAfterCrash(), earliestNeededByDurable());
        return needed == Confirmations.NOTHING_NEEDED ? OptionalLong.empty() : OptionalLong.of(needed);
    }

    /**
     * Returns how many offsets from {@code first} up to, without, {@code end} every cursor that survives has consumed; 0 if there is none.
     * A crash may undo the latest of that.
     */
    public long consumedIn(long first, long end) {
        List<Cursor> durable = durable();
        return durable.size() == 1
                ? durable.getFirst().state().acknowledgedIn(first, end)
                : consumed(first, end).count();
    }

    /** Returns the offsets that {@link #consumedIn} counts: no cursor needs them now, though one may after a crash. */
    public ConsumedSet consumed(long first, long end) {
        OffsetSet common = null;
        for (Cursor cursor : durable()) {
            OffsetSet own = cursor.state().acknowledgedPart(first, end);
            if (common == null) {
                common = own;
            } else {
                common.retain(own);
            }
        }
        return new ConsumedSet(common == null ? new OffsetSet() : common);
    }

    /** Returns a number that is another one whenever something that was consumed may be needed again: by a new cursor, or one set back. */
    public long rewinds() {
        return requireLeading().rewinds();
    }

    private List<Cursor> durable() {
        return cursors.values().stream().filter(Cursor::isDurable).toList();
    }

    private long earliestNeededByDurable() {
        return requireLeading().earliestNeeded(this::searchEarliestNeededByDurable);
    }

    private long searchEarliestNeededByDurable() {
        long earliest = Confirmations.NOTHING_NEEDED;
        for (Cursor cursor : cursors.values()) {
            if (cursor.isDurable()) {
                earliest = Math.min(earliest, cursor.earliestNeededOffset());
            }
        }
        return earliest;
    }

    // ---- end ----------------------------------------------------------------------------------------------------

    /** These cursors will not be used any more: gives back the memory of what they have lent. */
    public void end() {
        cursors.values().forEach(Cursor::onEnd);
    }

    private void requireUnused(CursorId id) {
        if (cursors.containsKey(id)) {
            throw new IllegalArgumentException("cursor " + id + " exists already, in memory only or not");
        }
    }

    private Leadership requireLeading() {
        if (leadership == null) {
            throw new IllegalStateException("only a leader's cursors can be used: call lead first");
        }
        return leadership;
    }
}
