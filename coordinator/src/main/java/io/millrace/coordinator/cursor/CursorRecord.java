package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.List;
import java.util.Objects;

/**
 * A change to the cursors of a partition, as the cursor log keeps it. {@link CursorRecordCodec} gives the bytes.
 *
 * <p>All offsets are offsets of the data log. Lists of ranges are ascending and disjoint, and as short as they can be.
 */
public sealed interface CursorRecord {

    /** Ranges that one record holds at most, so that a record stays below 100 KiB; more are spread over several records. */
    int MAX_RANGES = 4_096;

    /**
     * A cursor begins to exist.
     *
     * @param cursor its id
     * @param startOffset the first offset that it delivers
     * @param horizon its first dispatch horizon, at or above the start
     */
    record Created(CursorId cursor, long startOffset, long horizon) implements CursorRecord {
        public Created {
            Objects.requireNonNull(cursor, "cursor");
            requireOffset("startOffset", startOffset);
            if (horizon < startOffset) {
                throw new IllegalArgumentException("horizon " + horizon + " below the start offset " + startOffset);
            }
        }
    }

    /** Records are consumed: acknowledged, or found not to exist (control batches, offsets that compaction removed). */
    record Acknowledged(CursorId cursor, List<OffsetRange> ranges) implements CursorRecord {
        public Acknowledged {
            Objects.requireNonNull(cursor, "cursor");
            ranges = List.copyOf(ranges);
            requireRanges(ranges);
            requireApart(ranges);
        }
    }

    /** The delivery attempts of records are now these; 0 attempts, not guessed, is as if they had never been delivered. */
    record Attempts(CursorId cursor, List<AttemptRange> ranges) implements CursorRecord {
        public Attempts {
            Objects.requireNonNull(cursor, "cursor");
            ranges = List.copyOf(ranges);
            requireAttemptRanges(ranges, 1);
        }
    }

    /**
     * The cursor may deliver up to the horizon.
     *
     * @param cursor its id
     * @param horizon no record at or above it was ever delivered
     * @param uncertainBelow records below it may have been delivered without a trace in the log, because a leader was lost or the
     *     machine stopped; at most the horizon
     */
    record Horizon(CursorId cursor, long horizon, long uncertainBelow) implements CursorRecord {
        public Horizon {
            Objects.requireNonNull(cursor, "cursor");
            requireHorizon(horizon, uncertainBelow);
        }
    }

    /** The cursor was set to an offset: all below counts as acknowledged, and nothing at or above it. */
    record Moved(CursorId cursor, long startOffset) implements CursorRecord {
        public Moved {
            Objects.requireNonNull(cursor, "cursor");
            requireOffset("startOffset", startOffset);
        }
    }

    /** The cursor is gone. */
    record Deleted(CursorId cursor) implements CursorRecord {
        public Deleted {
            Objects.requireNonNull(cursor, "cursor");
        }
    }

    /**
     * The data log was cut: every acknowledgement, attempt and horizon of all cursors at or above the offset is void, since other
     * records will have these offsets.
     *
     * @param offset the end of the data log after the cut
     * @param leaderEpoch epoch of the leader that wrote this
     */
    record Truncated(long offset, int leaderEpoch) implements CursorRecord {
        public Truncated {
            requireOffset("offset", offset);
            if (leaderEpoch < 0) {
                throw new IllegalArgumentException("leader epochs start at 0, not " + leaderEpoch);
            }
        }
    }

    /**
     * Records of which none is acknowledged or pending will count as consumed if this transaction is committed. Their attempts stay.
     *
     * @param cursor its id
     * @param transaction of whose producer id no other epoch has anything pending in this partition
     */
    record PendingAcknowledged(CursorId cursor, ProducerIdentity transaction, List<OffsetRange> ranges)
            implements CursorRecord {
        public PendingAcknowledged {
            Objects.requireNonNull(cursor, "cursor");
            Objects.requireNonNull(transaction, "transaction");
            ranges = List.copyOf(ranges);
            requireRanges(ranges);
            requireApart(ranges);
        }
    }

    /**
     * A transaction has ended: what is pending in all cursors under its producer id, with at most the marker's epoch, is consumed, or not
     * pending any more.
     *
     * @param marker the producer id, and the epoch under which the transaction ends
     * @param commit whether it was committed
     */
    record TransactionEnded(ProducerIdentity marker, boolean commit) implements CursorRecord {
        public TransactionEnded {
            Objects.requireNonNull(marker, "marker");
        }
    }

    /**
     * A full image of all cursors follows: its parts, then its end, with nothing between.
     *
     * @param cursors how many cursors the image holds
     */
    record ImageBegin(int cursors) implements CursorRecord {
        public ImageBegin {
            requireCount("cursors", cursors);
        }
    }

    /**
     * A piece of one cursor of an image. A cursor with many ranges has several, which follow each other and agree in all but the
     * ranges.
     */
    record ImagePart(
            CursorId cursor,
            long startOffset,
            long horizon,
            long uncertainBelow,
            List<OffsetRange> acknowledged,
            List<AttemptRange> attempts)
            implements CursorRecord {
        public ImagePart {
            Objects.requireNonNull(cursor, "cursor");
            requireOffset("startOffset", startOffset);
            requireHorizon(horizon, uncertainBelow);
            acknowledged = List.copyOf(acknowledged);
            requireApart(acknowledged);
            attempts = List.copyOf(attempts);
            requireAttemptRanges(attempts, 0);
            if ((!acknowledged.isEmpty() && acknowledged.getFirst().firstOffset() <= startOffset)
                    || (!attempts.isEmpty() && attempts.getFirst().range().firstOffset() < startOffset)) {
                throw new IllegalArgumentException("an image says of records below the start offset " + startOffset
                        + " more than that they are acknowledged, or that the one at the start is");
            }
        }
    }

    /** A piece of what is pending in a cursor of an image, behind the parts of that cursor; counts as a part. */
    record ImagePending(CursorId cursor, ProducerIdentity transaction, List<OffsetRange> ranges)
            implements CursorRecord {
        public ImagePending {
            Objects.requireNonNull(cursor, "cursor");
            Objects.requireNonNull(transaction, "transaction");
            ranges = List.copyOf(ranges);
            requireRanges(ranges);
            requireApart(ranges);
        }
    }

    /**
     * The image is complete: what it says replaces all that was replayed before.
     *
     * @param cursors how many cursors the image holds
     * @param parts how many parts it has
     */
    record ImageEnd(int cursors, int parts) implements CursorRecord {
        public ImageEnd {
            requireCount("cursors", cursors);
            requireCount("parts", parts);
        }
    }

    private static void requireOffset(String name, long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException(name + " is negative: " + offset);
        }
    }

    private static void requireCount(String name, int count) {
        if (count < 0) {
            throw new IllegalArgumentException(name + " is negative: " + count);
        }
    }

    private static void requireHorizon(long horizon, long uncertainBelow) {
        requireOffset("uncertainBelow", uncertainBelow);
        if (horizon < uncertainBelow) {
            throw new IllegalArgumentException("horizon " + horizon + " below uncertainBelow " + uncertainBelow);
        }
    }

    private static void requireRanges(List<OffsetRange> ranges) {
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a record needs at least one range");
        }
    }

    private static void requireApart(List<OffsetRange> ranges) {
        if (ranges.size() > MAX_RANGES) {
            throw new IllegalArgumentException(ranges.size() + " ranges in one record, at most " + MAX_RANGES);
        }
        for (int i = 1; i < ranges.size(); i++) {
            if (ranges.get(i).firstOffset() <= ranges.get(i - 1).endOffset()) {
                throw new IllegalArgumentException(
                        "ranges touch or are not ascending: " + ranges.get(i - 1) + ", " + ranges.get(i));
            }
        }
    }

    private static void requireAttemptRanges(List<AttemptRange> ranges, int atLeast) {
        if (ranges.size() < atLeast || ranges.size() > MAX_RANGES) {
            throw new IllegalArgumentException(
                    ranges.size() + " ranges of attempts in one record, allowed " + atLeast + ".." + MAX_RANGES);
        }
        for (int i = 1; i < ranges.size(); i++) {
            OffsetRange before = ranges.get(i - 1).range();
            OffsetRange range = ranges.get(i).range();
            if (range.firstOffset() < before.endOffset()) {
                throw new IllegalArgumentException(
                        "ranges of attempts overlap or are not ascending: " + before + ", " + range);
            }
        }
    }
}
