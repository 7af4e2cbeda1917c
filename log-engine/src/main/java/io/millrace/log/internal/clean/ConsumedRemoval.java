package io.millrace.log.internal.clean;

import io.millrace.log.CleanerStats;
import io.millrace.log.ConsumedRecords;
import io.millrace.log.internal.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Takes consumed records out of the sparse segments of a queue. A segment is due when a large enough share of its records was consumed; due
 * neighbours are rewritten into one, and so is what lies before them and is no larger, so that small rests do not stay in files of their own.
 * On a thread of the cleaner, which waits for the log's shard.
 */
final class ConsumedRemoval {
    /** The shard counts for so many segments at a time. */
    private static final int SEGMENTS_AT_A_TIME = 64;

    private final CleanableLog log;
    private final Throttle throttle;
    private CleanerStats.Work done = CleanerStats.Work.NONE;

    private record Candidate(Segment segment, long consumed) {
        /** Number of records that would be left, if every offset without a record was consumed. */
        long left() {
            return Math.max(0, segment.nextOffset() - segment.baseOffset() - consumed);
        }

        long expectedBytes() {
            return segment.records() == 0
                    ? segment.sizeBytes()
                    : (long) ((double) segment.sizeBytes() * Math.min(1, (double) left() / segment.records()));
        }

        boolean isDue(double minRatio) {
            long removable = segment.records() - left();
            return removable > 0 && removable >= minRatio * segment.records();
        }
    }

    ConsumedRemoval(CleanableLog log, Throttle throttle) {
        this.log = log;
        this.throttle = throttle;
    }

    /**
     * Does it, as far as it is worthwhile.
     *
     * @return what was done; {@link CleanerStats.Work#NONE} if nothing was to be done
     * @throws io.millrace.log.LogDamagedException if what is on disk is not what was written; nothing of that is carried on
     */
    CleanerStats.Work run() throws IOException {
        List<Candidate> candidates = candidates();
        double minRatio = log.config().cleanup().minConsumedRatio();
        int free = 0;
        int at = 0;
        // What is consumed as a whole from the beginning on goes as a whole, without being read.
        while (at < candidates.size() && candidates.get(at).left() == 0) {
            at++;
            free = at;
        }
        while (at < candidates.size()) {
            if (!candidates.get(at).isDue(minRatio)) {
                at++;
                continue;
            }
            Group group = new Group(candidates, at);
            while (group.end < candidates.size() && candidates.get(group.end).isDue(minRatio) && group.growUp()) {
                // As many as fit.
            }
            while (group.begin > free && group.growDown()) {
                // Likewise.
            }
            if (!rewrite(candidates.subList(group.begin, group.end))) {
                break;
            }
            at = group.end;
            free = at;
        }
        return done;
    }

    /** Neighbours that become one. */
    private final class Group {
        private final List<Candidate> candidates;
        private int begin;
        private int end;
        private long bytes;
        private long expectedBytes;

        Group(List<Candidate> candidates, int first) {
            this.candidates = candidates;
            this.begin = first;
            this.end = first + 1;
            this.bytes = candidates.get(first).segment().sizeBytes();
            this.expectedBytes = candidates.get(first).expectedBytes();
        }

        boolean growUp() {
            boolean fits = add(candidates.get(end), begin, end);
            end += fits ? 1 : 0;
            return fits;
        }

        /** What was rewritten before is read once more only together with as much that is due: that doubles the work at most. */
        boolean growDown() {
            Candidate before = candidates.get(begin - 1);
            boolean fits = before.segment().sizeBytes() <= bytes && add(before, begin - 1, end - 1);
            begin -= fits ? 1 : 0;
            return fits;
        }

        private boolean add(Candidate more, int first, int last) {
            long offsets = candidates.get(last).segment().nextOffset()
                    - candidates.get(first).segment().baseOffset();
            boolean fits = expectedBytes + more.expectedBytes() <= log.config().segmentBytes()
                    && bytes + more.segment().sizeBytes() <= Integer.MAX_VALUE
                    && offsets <= Integer.MAX_VALUE;
            if (fits) {
                bytes += more.segment().sizeBytes();
                expectedBytes += more.expectedBytes();
            }
            return fits;
        }
    }

    private List<Candidate> candidates() throws IOException {
        List<Segment> segments = log.durableView().segments();
        List<Candidate> candidates = new ArrayList<>();
        for (int from = 0; from < segments.size(); from += SEGMENTS_AT_A_TIME) {
            List<Segment> some = segments.subList(from, Math.min(segments.size(), from + SEGMENTS_AT_A_TIME));
            List<Long> counts = LogCleaning.await(log.countConsumed(some));
            for (int i = 0; i < some.size(); i++) {
                candidates.add(new Candidate(some.get(i), counts.get(i)));
            }
        }
        return candidates;
    }

    /** Answers whether the log is still as it was seen to be, but for this. */
    private boolean rewrite(List<Candidate> group) throws IOException {
        List<Segment> old = group.stream().map(Candidate::segment).toList();
        ProducerTails tails = new ProducerTails(LogCleaning.await(log.lastBatches()));
        NavigableMap<Long, ConsumedRecords.Found> found = new TreeMap<>();
        for (Segment segment : old) {
            found.put(segment.baseOffset(), LogCleaning.await(log.findConsumed(segment)));
        }
        ConsumedRule rule = new ConsumedRule(offset -> isConsumed(found, offset), tails);
        SegmentRewrite rewrite = new SegmentRewrite(rule, throttle, log.config().indexIntervalBytes());
        Segment cleaned = log.newSegment(old.getFirst().baseOffset());
        boolean exchanged = false;
        boolean useless = false;
        try {
            rewrite.runAll(old, cleaned);
            useless = old.size() == 1 && rewrite.recordsKept() == rewrite.recordsSeen();
            if (useless) {
                old.getFirst().records(rewrite.recordsKept());
            } else {
                cleaned.records(rewrite.recordsKept());
                cleaned.seal();
                cleaned.forceAll();
                exchanged = LogCleaning.await(log.replace(
                        old, cleaned, () -> found.values().stream().allMatch(ConsumedRecords.Found::stillHolds)));
            }
        } finally {
            if (!exchanged) {
                cleaned.delete();
            }
        }
        if (exchanged) {
            long before = old.stream().mapToLong(Segment::sizeBytes).sum();
            done = done.plus(
                    new CleanerStats.Work(before, cleaned.sizeBytes(), rewrite.recordsSeen(), rewrite.recordsKept()));
        }
        return exchanged || useless;
    }

    private static boolean isConsumed(NavigableMap<Long, ConsumedRecords.Found> found, long offset) {
        Map.Entry<Long, ConsumedRecords.Found> segment = found.floorEntry(offset);
        return segment != null && segment.getValue().contains(offset);
    }
}
