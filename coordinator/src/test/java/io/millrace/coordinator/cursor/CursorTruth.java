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
import java.util.function.Consumer;

/**
 * What a simulation knows for sure about one cursor: every change with the end of the cursor log that made it safe, so that after a crash
 * the truth is what the surviving changes make, and what its clients have seen and were promised.
 */
final class CursorTruth {

    /** Not appended yet. */
    static final long PENDING = Long.MAX_VALUE;

    /** What survives: acknowledgements and counts, one record at a time. */
    static final class Position {
        long first;
        final TreeSet<Long> acknowledged = new TreeSet<>();
        final TreeMap<Long, Integer> attempts = new TreeMap<>();
        final TreeMap<Long, ProducerIdentity> pending = new TreeMap<>();

        boolean isAcknowledged(long offset) {
            return offset < first || acknowledged.contains(offset);
        }

        int attempts(long offset) {
            return attempts.getOrDefault(offset, 0);
        }

        long start() {
            long start = first;
            while (acknowledged.contains(start)) {
                start++;
            }
            return start;
        }

        void acknowledge(long offset) {
            if (!isAcknowledged(offset)) {
                acknowledged.add(offset);
                attempts.remove(offset);
                pending.remove(offset);
            }
        }

        /** What is older than the transaction that ends is rolled back. */
        void end(ProducerIdentity ending, boolean commit) {
            for (long offset : List.copyOf(pending.keySet())) {
                ProducerIdentity transaction = Objects.requireNonNull(pending.get(offset));
                if (transaction.id() == ending.id() && transaction.epoch() <= ending.epoch()) {
                    pending.remove(offset);
                    if (commit && transaction.equals(ending)) {
                        acknowledge(offset);
                    }
                }
            }
        }

        void moveTo(long offset) {
            first = offset;
            acknowledged.clear();
            attempts.headMap(offset).clear();
            pending.headMap(offset).clear();
        }

        void truncate(long offset) {
            first = Math.min(start(), offset);
            acknowledged.headSet(first).clear();
            acknowledged.tailSet(offset).clear();
            attempts.tailMap(offset).clear();
            pending.tailMap(offset).clear();
        }

        void count(long offset, int change) {
            if (!isAcknowledged(offset)) {
                attempts.merge(offset, change, Integer::sum);
                attempts.remove(offset, 0);
            }
        }
    }

    private static final class Change {
        private final Consumer<Position> effect;
        private long logEndOffset = PENDING;

        Change(Consumer<Position> effect) {
            this.effect = effect;
        }
    }

    final CursorId id;
    final boolean durable;
    private final long startOffset;
    private final List<Change> changes = new ArrayList<>();
    Position position = new Position();
    long createdAt = PENDING;
    long deletedAt = -1;

    /** Who has which record now. */
    final Map<Long, NaiveCursor.Lent> holders = new TreeMap<>();

    /** Acknowledgements that a client was told to be durable, and no move has revoked. */
    final Set<SimulatedData.Entry> confirmed = new HashSet<>();

    /** Deliveries that clients got and did not hand back unseen. */
    final Map<SimulatedData.Entry, Integer> seen = new HashMap<>();

    /** Highest offset lent in this term, as long as nothing has come back and one consumer got all. */
    long highestLent = -1;

    boolean inOrder = true;

    CursorTruth(CursorId id, boolean durable, long startOffset) {
        this.id = id;
        this.durable = durable;
        this.startOffset = startOffset;
        position.first = startOffset;
    }

    boolean exists() {
        return deletedAt < 0;
    }

    void change(Consumer<Position> effect) {
        effect.accept(position);
        changes.add(new Change(effect));
    }

    void onAppended(long logEndOffset) {
        createdAt = Math.min(createdAt, logEndOffset);
        deletedAt = Math.min(deletedAt, logEndOffset);
        for (int i = changes.size() - 1; i >= 0 && changes.get(i).logEndOffset == PENDING; i--) {
            changes.get(i).logEndOffset = logEndOffset;
        }
    }

    /** The leader is gone, and the cursor log ends here. Returns whether the cursor still exists. */
    boolean onCrash(long logEndOffset) {
        if (!durable || createdAt > logEndOffset || (deletedAt >= 0 && deletedAt <= logEndOffset)) {
            return false;
        }
        deletedAt = -1;
        changes.removeIf(change -> change.logEndOffset > logEndOffset);
        position = new Position();
        position.first = startOffset;
        changes.forEach(change -> change.effect.accept(position));
        holders.clear();
        highestLent = -1;
        inOrder = true;
        return true;
    }
}
