package io.millrace.log.internal.clean;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.segment.Segment;
import io.millrace.wire.record.BatchRewrite;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a rule leaves of some segments into one. Offsets of which nothing is left are covered by placeholders (batches without records),
 * so that the new segment covers all that the old ones did, without a gap. For one thread.
 */
final class SegmentRewrite {
    private static final int OUTPUT_BYTES = 512 * 1024;

    private final BatchRule rule;
    private final Throttle throttle;
    private final int indexIntervalBytes;
    private final SegmentBatches source;
    private final BatchHeader header = new BatchHeader();
    private final ByteBuffer output = ByteBuffer.allocate(OUTPUT_BYTES);
    private long recordsKept;
    private long recordsSeen;

    // What nothing is left of, and no placeholder was written for yet; none if the first is -1.
    private long goneFrom = -1;
    private long goneTo;
    private int goneEpoch;

    SegmentRewrite(BatchRule rule, Throttle throttle, int indexIntervalBytes) {
        this.rule = rule;
        this.throttle = throttle;
        this.indexIntervalBytes = indexIntervalBytes;
        this.source = new SegmentBatches(throttle);
    }

    long recordsSeen() {
        return recordsSeen;
    }

    long recordsKept() {
        return recordsKept;
    }

    /**
     * Rewrites segments that follow each other, as many as become one of the size of a segment: the first in any case, and each further one if
     * it fits even if all of it is left.
     *
     * @param from segments to begin with
     * @param target empty before; it has all that is left of those taken, but is not sealed, afterwards
     * @return the segments that were taken
     */
    List<Segment> run(List<Segment> from, Segment target, int segmentBytes) throws IOException {
        List<Segment> taken = new ArrayList<>();
        for (Segment segment : from) {
            long bytes = (long) target.sizeBytes() + output.position() + RecordBatch.HEADER_SIZE + segment.sizeBytes();
            // An eighth above the size does no harm, and lets what is nearly nothing join what is nearly full.
            boolean fits = bytes <= Math.min(Integer.MAX_VALUE, segmentBytes + segmentBytes / 8L)
                    && segment.nextOffset() - target.baseOffset() <= Integer.MAX_VALUE;
            if (!taken.isEmpty() && !fits) {
                break;
            }
            rewrite(segment, target);
            taken.add(segment);
        }
        finish(taken, target);
        return taken;
    }

    /** Rewrites segments that follow each other, all of them, into one that is empty before. Whoever calls sees to it that they fit. */
    void runAll(List<Segment> segments, Segment target) throws IOException {
        for (Segment segment : segments) {
            rewrite(segment, target);
        }
        finish(segments, target);
    }

    private void finish(List<Segment> taken, Segment target) throws IOException {
        writeGone(target);
        flush(target);
        for (Segment segment : taken) {
            for (AbortedTransaction aborted : segment.aborted()) {
                target.addAborted(aborted);
            }
        }
    }

    private void rewrite(Segment segment, Segment target) throws IOException {
        source.begin(segment);
        for (RecordBatch batch = source.next(); batch != null; batch = source.next()) {
            recordsSeen += batch.recordCount();
            ByteBuffer rest = rule.apply(batch);
            if (rest == null) {
                onGone(batch, target);
            } else {
                writeGone(target);
                recordsKept += rest.getInt(rest.position() + RecordBatch.RECORDS_COUNT);
                write(rest, target);
            }
        }
    }

    private void onGone(RecordBatch batch, Segment target) throws IOException {
        boolean continues = goneFrom >= 0
                && batch.partitionLeaderEpoch() == goneEpoch
                && batch.lastOffset() - goneFrom <= Integer.MAX_VALUE - 1;
        if (!continues) {
            writeGone(target);
            goneFrom = batch.baseOffset();
            goneEpoch = batch.partitionLeaderEpoch();
        }
        goneTo = batch.lastOffset();
    }

    private void writeGone(Segment target) throws IOException {
        if (goneFrom >= 0) {
            ByteBuffer placeholder = BatchRewrite.placeholder(goneFrom, goneTo, goneEpoch);
            goneFrom = -1;
            write(placeholder, target);
        }
    }

    private void write(ByteBuffer batch, Segment target) throws IOException {
        if (batch.remaining() > output.remaining()) {
            flush(target);
        }
        if (batch.remaining() > output.capacity()) {
            append(batch, target);
        } else {
            output.put(batch.duplicate());
        }
    }

    private void flush(Segment target) throws IOException {
        output.flip();
        if (output.hasRemaining()) {
            append(output, target);
        }
        output.clear();
    }

    private void append(ByteBuffer batches, Segment target) throws IOException {
        throttle.await(batches.remaining());
        target.write(batches.duplicate());
        int begin = target.sizeBytes();
        int at = batches.position();
        @Nullable BatchHeader last = null;
        while (at < batches.limit()) {
            last = header.wrap(batches, at);
            target.index(last, begin + at - batches.position(), indexIntervalBytes);
            at += last.sizeBytes();
        }
        if (last != null) {
            target.advance(begin + batches.remaining(), last.nextOffset(), 0);
        }
    }
}
