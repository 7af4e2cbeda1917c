package io.millrace.log.internal.clean;

import io.millrace.log.CleanupConfig;
import io.millrace.log.internal.segment.Segment;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * One cleaning of one log: notes the last offset of each key that was written since the last time, then rewrites all segments, some at a time,
 * and puts each result in the place of what it was made of. Whatever ends it in between, the log is whole: what was exchanged is, what was not
 * is as before. On a thread of the cleaner, which waits for the log's shard.
 */
final class LogCleaning {
    private final CleanableLog log;
    private final CleaningPlan plan;
    private final KeyOffsets offsets;
    private final Throttle throttle;
    private final long nowMs;

    /**
     * What a cleaning did.
     *
     * @param cleanedUpTo everything below this offset is clean now
     * @param bytesBefore size of the segments that were rewritten
     * @param bytesAfter what they are now
     * @param recordsBefore number of records in them
     * @param recordsAfter number that is left
     * @param whole whether all of the plan was done
     */
    record Result(
            long cleanedUpTo,
            long bytesBefore,
            long bytesAfter,
            long recordsBefore,
            long recordsAfter,
            boolean whole) {}

    LogCleaning(CleanableLog log, CleaningPlan plan, KeyOffsets offsets, Throttle throttle, long nowMs) {
        this.log = log;
        this.plan = plan;
        this.offsets = offsets;
        this.throttle = throttle;
        this.nowMs = nowMs;
    }

    /**
     * Does it.
     *
     * @throws io.millrace.log.LogDamagedException if what is on disk is not what was written; nothing of that is carried on
     */
    Result run() throws IOException {
        AbortedOffsets aborted = aborted();
        offsets.clear();
        long mappedTo = noteKeys(aborted);
        if (mappedTo == plan.firstDirtyOffset()) {
            return new Result(mappedTo, 0, 0, 0, 0, false);
        }
        CleanupConfig config = log.config().cleanup();
        ProducerTails tails = new ProducerTails(await(log.lastBatches()));
        CompactionRule rule = new CompactionRule(offsets, aborted, tails, nowMs, config.deleteRetentionMs());
        SegmentRewrite rewrite = new SegmentRewrite(rule, throttle, log.config().indexIntervalBytes());
        long before = 0;
        long after = 0;
        List<Segment> left = plan.segments();
        while (!left.isEmpty() && left.getFirst().baseOffset() < mappedTo) {
            Segment cleaned = log.newSegment(left.getFirst().baseOffset());
            List<Segment> group;
            boolean done = false;
            try {
                group = rewrite.run(left, cleaned, log.config().segmentBytes());
                cleaned.seal();
                cleaned.forceAll();
                done = await(log.replace(group, cleaned, () -> true));
            } finally {
                if (!done) {
                    cleaned.delete();
                }
            }
            if (!done) {
                return new Result(
                        plan.firstDirtyOffset(), before, after, rewrite.recordsSeen(), rewrite.recordsKept(), false);
            }
            before += group.stream().mapToLong(Segment::sizeBytes).sum();
            after += cleaned.sizeBytes();
            left = left.subList(group.size(), left.size());
        }
        return new Result(mappedTo, before, after, rewrite.recordsSeen(), rewrite.recordsKept(), true);
    }

    /** Markers may lie behind what is cleaned now. */
    private AbortedOffsets aborted() {
        List<Segment> segments = plan.segments();
        return new AbortedOffsets(
                log.aborted(segments.getFirst().baseOffset(), segments.getLast().nextOffset()));
    }

    /** Notes the keys from the first dirty offset on, as many as there is room for, and answers up to which offset it came. */
    private long noteKeys(AbortedOffsets aborted) throws IOException {
        SegmentBatches batches = new SegmentBatches(throttle);
        long mappedTo = plan.firstDirtyOffset();
        for (Segment segment : plan.segments()) {
            if (segment.nextOffset() <= plan.firstDirtyOffset()) {
                continue;
            }
            batches.begin(segment);
            for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
                boolean counts = batch.nextOffset() > plan.firstDirtyOffset()
                        && !batch.isControl()
                        && !(batch.isTransactional() && aborted.contains(batch.producerId(), batch.baseOffset()));
                if (counts && !noteKeys(batch)) {
                    return mappedTo;
                }
                mappedTo = batch.nextOffset();
            }
        }
        return mappedTo;
    }

    private boolean noteKeys(RecordBatch batch) {
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                ByteBuffer key = cursor.key();
                if (key != null && cursor.offset() >= plan.firstDirtyOffset() && !offsets.put(key, cursor.offset())) {
                    return false;
                }
            }
        }
        return true;
    }

    static <T> T await(CompletionStage<T> stage) throws IOException {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
