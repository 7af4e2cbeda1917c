package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which records of a cursor are lent, to whom, under which acquisition. In memory only: acquisitions end with the leader's term. */
final class Holdings {

    /** Hears of a run of records. */
    interface RunVisitor {
        void visit(long first, long end);
    }

    /** One consumer, attached or still holding records after it was closed. */
    private static final class Holder {
        private final LentRuns lent = new LentRuns();
        private boolean attached;
    }

    private final LendingMemory memory;
    private final Map<ConsumerKey, Holder> holders = new HashMap<>();
    private long acquired;
    private long runs;
    private int attached;

    /** @param memory counts the runs of all cursors of the broker */
    Holdings(LendingMemory memory) {
        this.memory = memory;
    }

    /** Returns how many records are lent. */
    long acquired() {
        return acquired;
    }

    /** Returns in how many runs the records are lent: what they cost. */
    long runs() {
        return runs;
    }

    /** Returns how many records a consumer holds. */
    long acquiredBy(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder == null ? 0 : holder.lent.offsets();
    }

    int attached() {
        return attached;
    }

    boolean isAttached(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder != null && holder.attached;
    }

    void attach(ConsumerKey consumer) {
        Holder holder = holders.computeIfAbsent(consumer, key -> new Holder());
        if (!holder.attached) {
            holder.attached = true;
            attached++;
        }
    }

    void detach(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        if (holder != null && holder.attached) {
            holder.attached = false;
            attached--;
            forgetIfDone(consumer, holder);
        }
    }

    /** Returns the consumers of a session, attached or not. */
    List<ConsumerKey> consumersOf(UUID sessionId) {
        List<ConsumerKey> consumers = new ArrayList<>();
        for (ConsumerKey consumer : holders.keySet()) {
            if (consumer.sessionId().equals(sessionId)) {
                consumers.add(consumer);
            }
        }
        return consumers;
    }

    /** Lends records, ranges that ascend, to an attached consumer under an acquisition that is later than all before. */
    void lend(ConsumerKey consumer, long acquisition, List<OffsetRange> ranges) {
        Holder holder = holders.get(consumer);
        if (holder == null || !holder.attached) {
            throw new IllegalArgumentException(consumer + " is not attached to the cursor");
        }
        int before = holder.lent.count();
        long first = ranges.getFirst().firstOffset();
        long end = first;
        for (OffsetRange range : ranges) {
            if (range.firstOffset() != end) {
                holder.lent.add(acquisition, first, end);
                first = range.firstOffset();
            }
            acquired += range.endOffset() - range.firstOffset();
            end = range.endOffset();
        }
        holder.lent.add(acquisition, first, end);
        count(holder.lent.count() - before);
    }

    /** Returns what a consumer holds, or null when that is nothing. Only {@link #take} may change it. */
    @Nullable
    LentRuns lentTo(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder == null || holder.lent.isEmpty() ? null : holder.lent;
    }

    /** Takes records, all of which are in one run of what the consumer holds, out of it. */
    void take(ConsumerKey consumer, LentRuns lent, int run, long first, long end) {
        int before = lent.count();
        lent.remove(run, first, end);
        acquired -= end - first;
        count(lent.count() - before);
        if (lent.isEmpty()) {
            Holder holder = holders.get(consumer);
            if (holder != null) {
                forgetIfDone(consumer, holder);
            }
        }
    }

    private void count(int change) {
        if (change != 0) {
            runs += change;
            memory.add(change);
        }
    }

    /** Takes away what is lent from {@code first} up to, without, {@code end}, from whoever has it. */
    void cancel(long first, long end) {
        for (ConsumerKey consumer : List.copyOf(holders.keySet())) {
            LentRuns lent = lentTo(consumer);
            if (lent != null) {
                cancel(consumer, lent, first, end);
            }
        }
    }

    private void cancel(ConsumerKey consumer, LentRuns lent, long first, long end) {
        // What is taken away may move the runs, so what there is to take is found before.
        List<OffsetRange> ranges = new ArrayList<>();
        List<Long> acquisitions = new ArrayList<>();
        for (int run = lent.first(); run != LentRuns.NONE; run = lent.next(run)) {
            long from = Math.max(first, lent.first(run));
            long to = Math.min(end, lent.end(run));
            if (from < to) {
                ranges.add(new OffsetRange(from, to));
                acquisitions.add(lent.acquisition(run));
            }
        }
        for (int i = 0; i < ranges.size(); i++) {
            OffsetRange range = ranges.get(i);
            int run = lent.find(acquisitions.get(i), range.firstOffset());
            take(consumer, lent, run, range.firstOffset(), range.endOffset());
        }
    }

    /** Everything ends: nobody holds anything any more. */
    void clear() {
        holders.clear();
        acquired = 0;
        attached = 0;
        count((int) -runs);
    }

    /** Calls {@code visitor} with each run of lent records. */
    void forEach(RunVisitor visitor) {
        for (Holder holder : holders.values()) {
            LentRuns lent = holder.lent;
            for (int run = lent.first(); run != LentRuns.NONE; run = lent.next(run)) {
                visitor.visit(lent.first(run), lent.end(run));
            }
        }
    }

    private void forgetIfDone(ConsumerKey consumer, Holder holder) {
        if (!holder.attached && holder.lent.isEmpty()) {
            holders.remove(consumer);
        }
    }
}
