package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.List;

/**
 * Which records of a cursor may be lent: the available ones, which came back or were passed over, and behind them the fresh ones, up to the
 * high watermark and to the confirmed horizon, as far as the window has room.
 *
 * <p>Invariant: an unacknowledged offset below nextFresh is either available, or held by a consumer, or pending, or was passed over because it
 * was undecided.
 */
final class Lending {

    private static final OffsetSet NOTHING = new OffsetSet();

    private final LedState led;
    private final CursorState state;
    private final Holdings holdings;
    private final Leadership leadership;
    private final OffsetSet available = new OffsetSet();
    private final OffsetSet passed = new OffsetSet();
    /** Of those that are available, what came back and is not to be lent yet. */
    private final OffsetSet resting = new OffsetSet();

    private final List<SelectiveView> views = new ArrayList<>();
    private long nextFresh;
    private long confirmedHorizon;

    Lending(LedState led, Holdings holdings, Leadership leadership) {
        this.led = led;
        this.state = led.state();
        this.holdings = holdings;
        this.leadership = leadership;
        this.confirmedHorizon = led.isDurable() ? 0 : Long.MAX_VALUE;
        // What is pending from an earlier term was lent, so it must not lie among what is fresh.
        this.nextFresh = Math.max(state.startOffset(), state.pending().all().end());
        makeAvailable(state.startOffset(), nextFresh);
    }

    /** The lowest offset that was neither lent nor passed over in this term. */
    long nextFresh() {
        return Math.max(nextFresh, state.startOffset());
    }

    // ---- lending ------------------------------------------------------------------------------------------------

    /** See {@link Cursor#decidedCandidates}. */
    List<OffsetRange> decidedCandidates(long fromOffset, int maxRecords) {
        passOverUndecided();
        return candidates(fromOffset, maxRecords, leadership.undecided());
    }

    /**
     * Fresh records that are undecided are out of the way, so that nobody has to look at them again before they are decided. The horizon
     * keeps ahead of what comes behind them.
     */
    private void passOverUndecided() {
        OffsetSet undecided = leadership.undecided();
        if (undecided.isEmpty()) {
            return;
        }
        long before = nextFresh;
        long limit = leadership.highWatermark();
        long next = state.nextUnacknowledged(nextFresh);
        while (next < limit && undecided.contains(next)) {
            long end = state.nextAcknowledged(next, Math.min(undecided.nextAbsent(next), limit));
            passed.add(next, end);
            nextFresh = end;
            next = state.nextUnacknowledged(end);
        }
        if (nextFresh != before) {
            extendHorizon();
        }
    }

    /** See {@link Cursor#candidates}. */
    List<OffsetRange> candidates(long fromOffset, int maxRecords) {
        return candidates(fromOffset, maxRecords, NOTHING);
    }

    private List<OffsetRange> candidates(long fromOffset, int maxRecords, OffsetSet leftOut) {
        List<OffsetRange> ranges = new ArrayList<>();
        long wanted = maxRecords;
        long room = roomForUndelivered();
        long offset = fromOffset;
        while (wanted > 0) {
            long first = nextLendable(offset);
            if (first == OffsetSet.NONE) {
                break;
            }
            if (leftOut.contains(first)) {
                offset = leftOut.nextAbsent(first);
                continue;
            }
            if (resting.contains(first)) {
                offset = resting.nextAbsent(first);
                continue;
            }
            long end = Math.min(endOfLendable(first), first + wanted);
            end = before(leftOut.nextPresent(first), end);
            end = before(resting.nextPresent(first), end);
            if (!state.attempts().isKnown(first)) {
                long allowed = ranges.isEmpty() ? roomForFirst(room) : Math.max(room, 0);
                end = Math.min(end, first + allowed);
                room -= end - first;
            }
            if (end == first) {
                break;
            }
            ranges.add(new OffsetRange(first, end));
            wanted -= end - first;
            offset = end;
        }
        return ranges;
    }

    private static long before(long offset, long end) {
        return offset == OffsetSet.NONE ? end : Math.min(offset, end);
    }

    /** Throws if a range cannot be lent, before anything was changed. */
    void requireLendable(List<OffsetRange> ranges) {
        boolean firstIsUndelivered = !state.attempts().isKnown(ranges.getFirst().firstOffset());
        long room = firstIsUndelivered ? roomForFirst(roomForUndelivered()) : roomForUndelivered();
        long offset = 0;
        for (OffsetRange range : ranges) {
            boolean fits = range.firstOffset() >= offset;
            offset = range.firstOffset();
            while (fits && offset < range.endOffset()) {
                long end = Math.min(endOfLendable(offset), range.endOffset());
                boolean delivered = state.attempts().isKnown(offset);
                room -= delivered ? 0 : end - offset;
                fits = nextLendable(offset) == offset && (delivered || room >= 0);
                offset = end;
            }
            if (!fits) {
                throw new IllegalArgumentException("cursor " + state.id() + " cannot lend " + range + " of " + ranges
                        + ": not ascending, or some are acknowledged, lent, beyond horizon or high watermark, or more than the"
                        + " window has room for");
            }
        }
    }

    /** Counts a delivery of records, which are lent from now on, and adds them to {@code grants}. */
    void lend(long first, long end, GrantList grants) {
        available.remove(first, Math.min(end, nextFresh));
        if (end > nextFresh) {
            makeAvailable(nextFresh, first);
            nextFresh = end;
        }
        long from = first;
        while (from < end) {
            long to = state.attempts().endOfEqual(from, end);
            int attempts = state.attempts().attempts(from);
            boolean guessed = state.attempts().isGuessed(from);
            if (attempts == 0 && from < state.uncertainBelow()) {
                guessed = true;
                to = Math.min(to, state.uncertainBelow());
            }
            attempts = Math.min(attempts + 1, AttemptRange.MAX_ATTEMPTS);
            led.setAttempts(from, to, attempts, guessed);
            grants.add(from, to, attempts, guessed);
            from = to;
        }
    }

    private void makeAvailable(long first, long end) {
        long from = state.nextUnacknowledged(first);
        while (from < end) {
            long to = state.nextAcknowledged(from, end);
            available.add(from, to);
            from = state.nextUnacknowledged(to);
        }
        state.pending().all().forEachIn(first, end, available::remove);
        leadership.undecided().forEachIn(first, end, (one, last) -> available.moveTo(passed, one, last));
    }

    /** Records were decided: those that were passed over are available, each in its place. Those that do not count are taken out if nobody has them. */
    void onDecided(OffsetSet decided, boolean commit) {
        if (!passed.isEmpty()) {
            decided.forEachIn(0, Long.MAX_VALUE, (first, end) -> passed.moveTo(available, first, end));
        }
        if (commit && !views.isEmpty()) {
            decided.forEachIn(0, Long.MAX_VALUE, this::tellViews);
        }
        if (!commit) {
            // What is not below the high watermark may get lost, and its place be another record's.
            decided.forEachIn(state.startOffset(), leadership.highWatermark(), this::takeOutFree);
            extendHorizon();
        }
    }

    private void takeOutFree(long first, long end) {
        for (long from = nextFree(first); from < end; from = nextFree(from)) {
            long to = Math.min(endOfFree(from), end);
            available.remove(from, to);
            led.acknowledge(from, to);
        }
    }

    /** How many records without attempts the window has room for; negative when more came back than it holds. */
    long roomForUndelivered() {
        long tracked = state.attempts().nextKnown(nextFresh) == OffsetSet.NONE
                ? state.attempts().count()
                : state.attempts().countIn(0, nextFresh);
        // What is pending waits for a transaction, however many that has, and nobody who consumes can do anything about
        // it.
        return leadership.limits().windowRecords()
                - Math.max(0, tracked - state.pending().count());
    }

    /** The first record may always be lent while nothing is out: behind it the window may be full of records that came back. */
    long roomForFirst(long room) {
        return Math.max(room, holdings.acquired() == 0 ? 1 : 0);
    }

    private long nextLendable(long offset) {
        long next = OffsetSet.NONE;
        if (offset < nextFresh) {
            next = available.nextPresent(offset);
        }
        if (next == OffsetSet.NONE) {
            next = state.nextUnacknowledged(Math.max(offset, nextFresh));
        }
        return next < lendableEnd() ? next : OffsetSet.NONE;
    }

    /** Returns the end of the run of records from {@code first} on that are lendable, and all delivered before or all not. */
    private long endOfLendable(long first) {
        long end = first < nextFresh ? available.nextAbsent(first) : state.nextAcknowledged(first, lendableEnd());
        return state.attempts().endOfKnown(first, Math.min(end, lendableEnd()));
    }

    private long lendableEnd() {
        return Math.min(leadership.highWatermark(), confirmedHorizon);
    }

    // ---- coming back --------------------------------------------------------------------------------------------

    /** Records that were lent come back; their delivery counts if it was seen, else it is taken back. */
    void giveBack(long first, long end, boolean seen) {
        available.add(first, end);
        if (seen) {
            rest(first, end);
            return;
        }
        tellViews(first, end);
        long from = first;
        while (from < end) {
            long to = state.attempts().endOfEqual(from, end);
            int attempts = Math.max(0, state.attempts().attempts(from) - 1);
            led.setAttempts(from, to, attempts, state.attempts().isGuessed(from));
            from = to;
        }
    }

    /** The acknowledgement of records was rolled back. */
    void giveBack(OffsetSet pending) {
        pending.forEachIn(0, Long.MAX_VALUE, (first, end) -> {
            available.add(first, end);
            rest(first, end);
        });
    }

    /** Records that were delivered are left alone for a while, if that is wanted. */
    private void rest(long first, long end) {
        RestingRecords rests = leadership.resting();
        if (!rests.areWanted()) {
            tellViews(first, end);
            return;
        }
        long from = first;
        while (from < end) {
            long to = state.attempts().endOfEqual(from, end);
            if (rests.rest(this, from, to, state.attempts().attempts(from))) {
                resting.add(from, to);
            } else {
                tellViews(from, to);
            }
            from = to;
        }
    }

    /** The rest of records is over. */
    void onRested(long first, long end) {
        resting.remove(first, end);
        tellViews(first, end);
    }

    private void tellViews(long first, long end) {
        for (int i = 0; i < views.size(); i++) {
            views.get(i).onAvailable(first, end);
        }
    }

    // ---- those who want only some records -----------------------------------------------------------------------

    List<SelectiveView> views() {
        return views;
    }

    /** Lists records below the high watermark that nobody holds, that are decided and do not rest, whether or not they may be lent now. */
    List<OffsetRange> free(long from, long end, int maxRecords) {
        List<OffsetRange> ranges = new ArrayList<>();
        long limit = Math.min(end, leadership.highWatermark());
        long wanted = maxRecords;
        long first = nextFree(from);
        while (first < limit && wanted > 0) {
            if (resting.contains(first)) {
                first = nextFree(resting.nextAbsent(first));
                continue;
            }
            long to = before(resting.nextPresent(first), Math.min(Math.min(endOfFree(first), limit), first + wanted));
            ranges.add(new OffsetRange(first, to));
            wanted -= to - first;
            first = nextFree(to);
        }
        return ranges;
    }

    boolean wasDelivered(long offset) {
        return state.attempts().isKnown(offset);
    }

    boolean isLendable(long offset) {
        return offset < lendableEnd();
    }

    // ---- taking out and moving ----------------------------------------------------------------------------------

    /** Returns whether records below the high watermark are all acknowledged or with nobody. */
    boolean isFree(long first, long end) {
        long below = Math.min(end, nextFresh);
        long from = state.nextUnacknowledged(first);
        while (from < below) {
            long to = state.nextAcknowledged(from, below);
            if (available.countIn(from, to) != to - from) {
                return false;
            }
            from = state.nextUnacknowledged(to);
        }
        return end <= leadership.highWatermark();
    }

    /** Takes records out that nobody holds. */
    void takeOut(long first, long end) {
        available.remove(first, end);
        passed.remove(first, end);
        led.acknowledge(first, end);
        extendHorizon();
    }

    /** See {@link Cursor#purge}. */
    PurgeStep purge(long from, long end, int maxRuns, long maxRecords) {
        long removed = 0;
        long first = nextFree(from);
        for (int runs = 0; first < end && runs < maxRuns && removed < maxRecords; runs++) {
            long to = Math.min(Math.min(endOfFree(first), end), first + maxRecords - removed);
            takeOut(first, to);
            removed += to - first;
            first = nextFree(to);
        }
        return new PurgeStep(removed, Math.min(first, Math.max(from, end)));
    }

    /** The lowest record at or above an offset that is neither acknowledged, lent, pending nor undecided. */
    private long nextFree(long offset) {
        long next = offset < nextFresh ? available.nextPresent(offset) : OffsetSet.NONE;
        return next == OffsetSet.NONE ? nextDecided(Math.max(offset, nextFresh)) : next;
    }

    private long endOfFree(long first) {
        if (first < nextFresh) {
            return available.nextAbsent(first);
        }
        long undecided = leadership.undecided().nextPresent(first);
        return state.nextAcknowledged(first, undecided == OffsetSet.NONE ? Long.MAX_VALUE : undecided);
    }

    /** The lowest unacknowledged record at or above an offset that is not undecided. */
    long nextDecided(long offset) {
        OffsetSet undecided = leadership.undecided();
        long next = state.nextUnacknowledged(offset);
        while (undecided.contains(next)) {
            next = state.nextUnacknowledged(undecided.nextAbsent(next));
        }
        return next;
    }

    void dropBelow(long offset) {
        holdings.cancel(0, offset);
        nextFresh = Math.max(nextFresh, offset);
        takeOut(state.startOffset(), offset);
    }

    void moveTo(long offset) {
        led.moveTo(offset);
        holdings.cancel(0, offset);
        available.clear();
        passed.clear();
        resting.clear();
        nextFresh = Math.max(nextFresh, offset);
        makeAvailable(offset, nextFresh);
        holdings.forEach((first, end) -> {
            available.remove(first, end);
            passed.remove(first, end);
        });
        views.forEach(view -> view.onMoved(offset));
        extendHorizon();
    }

    void onTruncated(long offset) {
        led.onTruncated(offset);
        holdings.cancel(offset, Long.MAX_VALUE);
        available.remove(offset, Long.MAX_VALUE);
        passed.remove(offset, Long.MAX_VALUE);
        resting.remove(offset, Long.MAX_VALUE);
        nextFresh = Math.min(nextFresh, offset);
        views.forEach(view -> view.onMoved(offset));
        if (led.isDurable()) {
            // What was confirmed or on its way before counts no more: the horizon is confirmed again, together with the
            // cut.
            confirmedHorizon = Math.min(confirmedHorizon, offset);
            leadership.turn().onHorizonRaised(this, state.horizon());
        }
        extendHorizon();
    }

    /** Returns whether anything is known about records at or above an offset, but for a horizon that was written ahead. */
    boolean reaches(long offset) {
        return nextFresh > offset || state.reaches(offset);
    }

    // ---- horizon ------------------------------------------------------------------------------------------------

    /** The new leader starts: an uncertain one assumes a delivery of everything below the horizon. */
    void onLead(LeaderStart start) {
        if (start == LeaderStart.UNCERTAIN && state.horizon() > state.uncertainBelow()) {
            led.setHorizon(state.horizon(), state.horizon());
        }
        extendHorizon();
    }

    /** What is known of deliveries is not all: everything below an offset may have been delivered. */
    void suspectDeliveriesBelow(long offset) {
        led.setHorizon(Math.max(state.horizon(), offset), Math.max(state.uncertainBelow(), offset));
        leadership.turn().onHorizonRaised(this, state.horizon());
        extendHorizon();
    }

    /** Keeps the horizon at least one step ahead of the next record to be lent, which may lie behind a long skipped range. */
    void extendHorizon() {
        extendHorizon(nextFresh);
    }

    /** The same for a record that is to be lent next. */
    void extendHorizon(long record) {
        int step = leadership.limits().horizonStep();
        long next = state.nextUnacknowledged(record);
        if (led.isDurable() && state.horizon() - next < step) {
            led.setHorizon(Math.max(state.horizon(), next) + step, state.uncertainBelow());
            leadership.turn().onHorizonRaised(this, state.horizon());
        }
    }

    /** A horizon is below the cursor log's high watermark. Returns whether more may be lent now. */
    boolean onHorizonConfirmed(long horizon) {
        long confirmed = Math.min(horizon, state.horizon());
        boolean more = confirmed > confirmedHorizon;
        confirmedHorizon = Math.max(confirmed, confirmedHorizon);
        return more;
    }
}
