package io.millrace.log.internal.verify;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.BatchFinder;
import io.millrace.log.internal.segment.SegmentScanner;
import io.millrace.wire.record.EndTransactionMarker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is in a log file, however damaged it is: whole batches, headers that can be set right exactly, and holes. For one thread. */
final class SegmentSurvey {
    /** For the end of a hole behind which nothing follows. */
    static final long NOTHING_FOLLOWS = -1;

    private final LogFile file;
    private final long baseOffset;
    private final long limitOffset;
    private final List<Hole> holes = new ArrayList<>();
    private final List<HeaderMend> mends = new ArrayList<>();
    private int sizeBytes;
    private int endPosition;
    private long nextOffset;

    /**
     * Bytes that are no batches.
     *
     * @param from where they begin
     * @param to where a batch follows, or the file ends
     * @param firstOffset offset that should be there
     * @param nextOffset offset of the batch that follows, or {@link #NOTHING_FOLLOWS}
     * @param problem what is wrong
     */
    record Hole(int from, int to, long firstOffset, long nextOffset, String problem) {
        boolean isTail() {
            return nextOffset == NOTHING_FOLLOWS;
        }
    }

    /** Sees each batch, as it is once its header was set right. */
    interface Visitor {
        void onBatch(BatchHeader header, int position, @Nullable EndTransactionMarker marker);
    }

    /**
     * @param limitOffset base offset of the next segment, or the largest number
     */
    SegmentSurvey(LogFile file, long baseOffset, long limitOffset) {
        this.file = file;
        this.baseOffset = baseOffset;
        this.limitOffset = limitOffset;
        this.nextOffset = baseOffset;
    }

    void run(Visitor visitor) throws IOException {
        sizeBytes = Math.toIntExact(file.sizeBytes());
        BatchFinder finder = new BatchFinder(file, sizeBytes);
        while (endPosition < sizeBytes) {
            SegmentScanner.Result scanned = new SegmentScanner(file)
                    .scan(endPosition, sizeBytes, nextOffset, endPosition, (header, position, marker) -> {
                        visitor.onBatch(header, position, marker);
                        return true;
                    });
            endPosition = scanned.endPosition();
            nextOffset = scanned.nextOffset();
            String problem = scanned.problem();
            if (problem == null || !getPast(problem, finder, visitor)) {
                return;
            }
        }
    }

    /** Goes on behind a problem; answers whether there is anything to go on with. */
    private boolean getPast(String problem, BatchFinder finder, Visitor visitor) throws IOException {
        Optional<HeaderMend> mend = HeaderMend.find(file, endPosition, sizeBytes, nextOffset, finder);
        if (mend.isPresent()) {
            mends.add(mend.get());
            BatchHeader header = mend.get().header();
            visitor.onBatch(header, endPosition, null);
            endPosition += header.sizeBytes();
            nextOffset = header.nextOffset();
            return true;
        }
        Optional<BatchFinder.Found> next = finder.next(endPosition + 1, nextOffset + 1, limitOffset);
        if (next.isEmpty()) {
            holes.add(new Hole(endPosition, sizeBytes, nextOffset, NOTHING_FOLLOWS, problem));
            return false;
        }
        holes.add(new Hole(
                endPosition, next.get().position(), nextOffset, next.get().baseOffset(), problem));
        endPosition = next.get().position();
        nextOffset = next.get().baseOffset();
        return true;
    }

    LogFile file() {
        return file;
    }

    long baseOffset() {
        return baseOffset;
    }

    int sizeBytes() {
        return sizeBytes;
    }

    /** Position after the last whole batch. */
    int endPosition() {
        return endPosition;
    }

    /** Offset after the last whole batch. */
    long nextOffset() {
        return nextOffset;
    }

    List<Hole> holes() {
        return holes;
    }

    List<HeaderMend> mends() {
        return mends;
    }
}
