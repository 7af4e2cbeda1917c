package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a cursor should do, one record at a time, in sorted sets and maps: the reference that the real one is compared with. It knows the
 * rules of lending, counting and horizons, and nothing of ranges, bitmaps, records and turns.
 */
final class NaiveCursor {

    record Lent(ConsumerKey consumer, AcquisitionId acquisition) {}

    record Count(int attempts, boolean guessed) {}

    final TreeSet<Long> acknowledged = new TreeSet<>();
    final TreeMap<Long, Lent> lent = new TreeMap<>();
    final TreeMap<Long, Count> counts = new TreeMap<>();
    final TreeMap<Long, ProducerIdentity> pending = new TreeMap<>();
    final Map<Long, ProducerIdentity> open = new HashMap<>();
    final Map<Long, Short> fences = new HashMap<>();
    /** Producer ids of the open transactions of records, by offset. */
    final TreeMap<Long, Long> undecided = new TreeMap<>();

    final Set<ConsumerKey> attached = new HashSet<>();
    final CursorLimits limits;
    final boolean durable;
    long firstOffset;
    long highWatermark;
    long nextFresh;
    long horizon;
    long confirmedHorizon;
    long uncertainBelow;

    NaiveCursor(CursorLimits limits, boolean durable, long firstOffset, long highWatermark) {
        this.limits = limits;
        this.durable = durable;
        this.firstOffset = firstOffset;
        this.highWatermark = highWatermark;
        this.nextFresh = firstOffset;
        this.horizon = firstOffset + 2L * limits.horizonStep();
        this.confirmedHorizon = durable ? 0 : Long.MAX_VALUE;
    }

    boolean isAcknowledged(long offset) {
        return offset < firstOffset || acknowledged.contains(offset);
    }

    boolean isKnown(long offset) {
        return isAcknowledged(offset) || counts.containsKey(offset) || undecided.containsKey(offset);
    }

    long start() {
        long start = firstOffset;
        while (acknowledged.contains(start)) {
            start++;
        }
        return start;
    }

    long depth() {
        long depth = 0;
        for (long offset = firstOffset; offset < highWatermark; offset++) {
            depth += isAcknowledged(offset) || undecided.containsKey(offset) ? 0 : 1;
        }
        return depth;
    }

    int attempts(long offset) {
        Count count = counts.get(offset);
        return count == null ? 0 : count.attempts();
    }

    List<Long> candidates(long from, int max) {
        passOver();
        long room = room();
        List<Long> candidates = new ArrayList<>();
        for (long offset = from; offset < highWatermark && candidates.size() < max; offset++) {
            if (isAcknowledged(offset)
                    || lent.containsKey(offset)
                    || pending.containsKey(offset)
                    || undecided.containsKey(offset)) {
                continue;
            }
            if (offset >= confirmedHorizon) {
                break;
            }
            boolean firstWithNothingOut = candidates.isEmpty() && lent.isEmpty();
            if (!counts.containsKey(offset) && room-- <= 0 && !firstWithNothingOut) {
                break;
            }
            candidates.add(offset);
        }
        return candidates;
    }

    private long room() {
        long out = (long) counts.headMap(nextFresh).size() - pending.size();
        return limits.windowRecords() - out;
    }

    private void passOver() {
        long next = nextFresh;
        boolean passed = false;
        while (next < highWatermark && (isAcknowledged(next) || undecided.containsKey(next))) {
            if (!isAcknowledged(next)) {
                nextFresh = next + 1;
                passed = true;
            }
            next++;
        }
        if (passed) {
            extendHorizon();
        }
    }

    // ---- transactions -------------------------------------------------------------------------------------------

    boolean admits(ProducerIdentity transaction) {
        ProducerIdentity known = open.get(transaction.id());
        return transaction.epoch() >= fences.getOrDefault(transaction.id(), (short) 0)
                && (known == null || transaction.epoch() >= known.epoch());
    }

    /** Returns the refused offsets. */
    List<Long> acknowledgePending(
            ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges, ProducerIdentity transaction) {
        boolean admitted = admits(transaction);
        if (admitted) {
            ProducerIdentity before = open.get(transaction.id());
            if (before != null && !before.equals(transaction)) {
                end(before, before, false);
            }
            open.put(transaction.id(), transaction);
        }
        List<Long> refused = new ArrayList<>();
        for (long offset : offsets(ranges)) {
            if (admitted && new Lent(consumer, acquisition).equals(lent.get(offset))) {
                lent.remove(offset);
                pending.put(offset, transaction);
            } else if (!isAcknowledged(offset) && !(admitted && transaction.equals(pending.get(offset)))) {
                refused.add(offset);
            }
        }
        return refused;
    }

    void end(ProducerIdentity transaction, ProducerIdentity marker, boolean commit) {
        fences.merge(marker.id(), marker.epoch(), (before, now) -> (short) Math.max(before, now));
        ProducerIdentity known = open.get(transaction.id());
        if (known == null || known.epoch() > transaction.epoch()) {
            return;
        }
        open.remove(transaction.id());
        for (long offset : List.copyOf(pending.keySet())) {
            if (Objects.requireNonNull(pending.get(offset)).id() == transaction.id()) {
                pending.remove(offset);
                if (commit && known.equals(transaction)) {
                    counts.remove(offset);
                    acknowledged.add(offset);
                }
            }
        }
    }

    void decide(long producerId, boolean commit) {
        for (long offset : List.copyOf(undecided.keySet())) {
            if (Objects.requireNonNull(undecided.get(offset)) == producerId) {
                undecided.remove(offset);
                if (!commit && offset < highWatermark && !isAcknowledged(offset) && !lent.containsKey(offset)) {
                    counts.remove(offset);
                    acknowledged.add(offset);
                }
            }
        }
        if (!commit) {
            extendHorizon();
        }
    }

    // ---- lending ------------------------------------------------------------------------------------------------

    /** Returns the number of deliveries that the consumer is told, by offset. */
    Map<Long, Integer> acquire(ConsumerKey consumer, AcquisitionId acquisition, List<Long> offsets) {
        Map<Long, Integer> told = new TreeMap<>();
        for (long offset : offsets) {
            Count count = counts.getOrDefault(offset, new Count(0, false));
            boolean guessed = count.guessed() || (count.attempts() == 0 && offset < uncertainBelow);
            counts.put(offset, new Count(count.attempts() + 1, guessed));
            told.put(offset, count.attempts() + 1 + (guessed ? 1 : 0));
            lent.put(offset, new Lent(consumer, acquisition));
            nextFresh = Math.max(nextFresh, offset + 1);
        }
        extendHorizon();
        return told;
    }

    /** Returns the refused offsets. */
    List<Long> acknowledge(ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges) {
        List<Long> refused = new ArrayList<>();
        for (long offset : offsets(ranges)) {
            if (new Lent(consumer, acquisition).equals(lent.get(offset))) {
                lent.remove(offset);
                counts.remove(offset);
                acknowledged.add(offset);
            } else if (!isAcknowledged(offset)) {
                refused.add(offset);
            }
        }
        return refused;
    }

    void release(ConsumerKey consumer, AcquisitionId acquisition, List<OffsetRange> ranges, boolean seen) {
        for (long offset : offsets(ranges)) {
            if (new Lent(consumer, acquisition).equals(lent.get(offset))) {
                giveBack(offset, seen);
            }
        }
    }

    void reattach(ConsumerKey consumer, List<HeldRecords> held) {
        attached.add(consumer);
        for (Map.Entry<Long, Lent> entry : List.copyOf(lent.entrySet())) {
            Lent record = entry.getValue();
            boolean named = held.stream()
                    .filter(records -> records.acquisition().equals(record.acquisition()))
                    .anyMatch(records -> offsets(records.ranges()).contains(entry.getKey()));
            if (record.consumer().equals(consumer) && !named) {
                giveBack(entry.getKey(), false);
            }
        }
    }

    void onConsumerGone(ConsumerKey consumer) {
        attached.remove(consumer);
        for (Map.Entry<Long, Lent> entry : List.copyOf(lent.entrySet())) {
            if (entry.getValue().consumer().equals(consumer)) {
                giveBack(entry.getKey(), true);
            }
        }
    }

    private void giveBack(long offset, boolean seen) {
        lent.remove(offset);
        if (!seen) {
            Count count = counts.getOrDefault(offset, new Count(0, false));
            if (count.attempts() == 1 && !count.guessed()) {
                counts.remove(offset);
            } else {
                counts.put(offset, new Count(count.attempts() - 1, count.guessed()));
            }
        }
    }

    boolean maySkip(OffsetRange range) {
        return range.endOffset() <= highWatermark
                && offsets(List.of(range)).stream()
                        .noneMatch(offset -> lent.containsKey(offset) || pending.containsKey(offset));
    }

    void skip(OffsetRange range) {
        for (long offset : offsets(List.of(range))) {
            counts.remove(offset);
            acknowledged.add(offset);
        }
        extendHorizon();
    }

    void dropBelow(long offset) {
        if (offset > start()) {
            lent.headMap(offset).clear();
            counts.headMap(offset).clear();
            pending.headMap(offset).clear();
            for (long dropped = firstOffset; dropped < offset; dropped++) {
                acknowledged.add(dropped);
            }
            nextFresh = Math.max(nextFresh, offset);
            extendHorizon();
        }
    }

    void moveTo(long offset) {
        lent.headMap(offset).clear();
        counts.headMap(offset).clear();
        pending.headMap(offset).clear();
        acknowledged.clear();
        firstOffset = offset;
        nextFresh = Math.max(nextFresh, offset);
        extendHorizon();
    }

    void truncate(long offset) {
        highWatermark = Math.min(highWatermark, offset);
        undecided.tailMap(offset).clear();
        boolean reaches = Math.max(start(), nextFresh) > offset
                || uncertainBelow > offset
                || !acknowledged.tailSet(offset).isEmpty()
                || !counts.tailMap(offset).isEmpty();
        if (!reaches) {
            return;
        }
        firstOffset = Math.min(start(), offset);
        acknowledged.tailSet(offset).clear();
        lent.tailMap(offset).clear();
        counts.tailMap(offset).clear();
        pending.tailMap(offset).clear();
        nextFresh = Math.min(nextFresh, offset);
        horizon = Math.min(horizon, offset);
        confirmedHorizon = durable ? Math.min(confirmedHorizon, offset) : confirmedHorizon;
        uncertainBelow = Math.min(uncertainBelow, offset);
        extendHorizon();
    }

    /** All that was appended so far is safe. */
    void confirm() {
        confirmedHorizon = durable ? horizon : confirmedHorizon;
    }

    /** The leader is killed and leads again. */
    void restart(LeaderStart start) {
        lent.clear();
        attached.clear();
        fences.clear();
        open.clear();
        pending.values().forEach(transaction -> open.put(transaction.id(), transaction));
        nextFresh = pending.isEmpty() ? start() : Math.max(start(), pending.lastKey() + 1);
        confirmedHorizon = 0;
        if (start == LeaderStart.UNCERTAIN) {
            uncertainBelow = horizon;
        }
        highWatermark = 0;
        extendHorizon();
    }

    private void extendHorizon() {
        long next = nextFresh;
        while (isAcknowledged(next)) {
            next++;
        }
        if (durable && horizon - next < limits.horizonStep()) {
            horizon = Math.max(horizon, next) + limits.horizonStep();
        }
    }

    static List<Long> offsets(List<OffsetRange> ranges) {
        List<Long> offsets = new ArrayList<>();
        for (OffsetRange range : ranges) {
            for (long offset = range.firstOffset(); offset < range.endOffset(); offset++) {
                offsets.add(offset);
            }
        }
        return offsets;
    }
}
