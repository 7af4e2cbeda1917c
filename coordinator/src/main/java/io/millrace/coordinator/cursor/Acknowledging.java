package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.List;

/** Takes the acknowledgements of one cursor, at once or in a transaction: of records that are lent under the acquisition that is named. */
final class Acknowledging {

    private static final OffsetSet NOTHING = new OffsetSet();

    /** Takes a run of records that was lent until now. */
    private interface Taken {
        void take(long first, long end);
    }

    private final LedState led;
    private final CursorState state;
    private final Holdings holdings;
    private final Leadership leadership;
    private final Taken acknowledge;
    /** Of the call that is going on. */
    private final List<OffsetRange> refused = new ArrayList<>();

    Acknowledging(LedState led, Holdings holdings, Leadership leadership) {
        this.led = led;
        this.state = led.state();
        this.holdings = holdings;
        this.leadership = leadership;
        this.acknowledge = led::acknowledge;
    }

    /** See {@link Cursor#acknowledge}. */
    AcknowledgeResult acknowledge(ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges) {
        long count = 0;
        for (OffsetRange range : ranges) {
            count += take(consumer, acquisition, range, NOTHING, acknowledge);
        }
        return result(count);
    }

    /** See {@link Cursor#acknowledgePending}. */
    AcknowledgeResult acknowledgePending(
            ConsumerKey consumer,
            AcquisitionId acquisition,
            List<OffsetRange> ranges,
            ProducerIdentity transaction,
            Cursor cursor) {
        if (!leadership.transactions().admits(transaction)) {
            ranges.forEach(range -> refuse(range.firstOffset(), range.endOffset(), NOTHING));
            return result(0);
        }
        leadership.transactions().begin(transaction, cursor);
        Taken pend = (first, end) -> led.setPending(transaction, first, end);
        long count = 0;
        for (OffsetRange range : ranges) {
            OffsetSet repeated = state.pending().of(transaction);
            count += take(consumer, acquisition, range, repeated, pend);
        }
        return result(count);
    }

    private AcknowledgeResult result(long count) {
        if (refused.isEmpty()) {
            return new AcknowledgeResult(count, List.of());
        }
        AcknowledgeResult result = new AcknowledgeResult(count, refused);
        refused.clear();
        return result;
    }

    /** @param repeated what may be named although it is not lent, besides what is acknowledged */
    private long take(
            ConsumerKey consumer, AcquisitionId acquisition, OffsetRange range, OffsetSet repeated, Taken taken) {
        LentRuns lent = leadership.isCurrent(acquisition) ? holdings.lentTo(consumer) : null;
        long count = 0;
        long offset = range.firstOffset();
        while (lent != null && offset < range.endOffset()) {
            int run = lent.find(acquisition.counter(), offset);
            if (run == LentRuns.NONE || lent.first(run) >= range.endOffset()) {
                break;
            }
            long first = Math.max(offset, lent.first(run));
            long end = Math.min(lent.end(run), range.endOffset());
            refuse(offset, first, repeated);
            holdings.take(consumer, lent, run, first, end);
            taken.take(first, end);
            count += end - first;
            offset = end;
        }
        refuse(offset, range.endOffset(), repeated);
        return count;
    }

    /** Reports what is neither acknowledged nor repeated from {@code first} up to, without, {@code end}. */
    private void refuse(long first, long end, OffsetSet repeated) {
        long from = nextRefused(first, repeated);
        while (from < end) {
            boolean last = refused.size() >= AcknowledgeResult.MAX_REFUSED - 1;
            long to = last ? end : endOfRefused(from, end, repeated);
            if (refused.size() == AcknowledgeResult.MAX_REFUSED) {
                OffsetRange widest = refused.removeLast();
                refused.add(new OffsetRange(Math.min(from, widest.firstOffset()), Math.max(to, widest.endOffset())));
            } else {
                refused.add(new OffsetRange(from, to));
            }
            from = nextRefused(to, repeated);
        }
    }

    private long nextRefused(long offset, OffsetSet repeated) {
        long next = state.nextUnacknowledged(offset);
        while (repeated.contains(next)) {
            next = state.nextUnacknowledged(repeated.nextAbsent(next));
        }
        return next;
    }

    private long endOfRefused(long first, long limit, OffsetSet repeated) {
        long end = state.nextAcknowledged(first, limit);
        long other = repeated.nextPresent(first);
        return other == OffsetSet.NONE ? end : Math.min(end, other);
    }
}
