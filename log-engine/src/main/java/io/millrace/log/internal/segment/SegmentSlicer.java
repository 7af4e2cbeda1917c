package io.millrace.log.internal.segment;

import io.millrace.log.LogDamagedException;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds which stretch of a segment's file holds the batches that are wanted, by the index and by headers: the batches themselves are read
 * only if nobody verified them since the process began. One instance per use, on any thread.
 */
public final class SegmentSlicer {
    private static final int WINDOW_BYTES = 4096;
    private static final long UNKNOWN = -1;

    private final Segment segment;
    private final EpochHistory epochs;
    private final int limit;
    private final long limitOffset;
    private final BatchHeader header = new BatchHeader();
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private int windowStart;

    /**
     * Whole batches in the file.
     *
     * @param position where the first begins
     * @param bytes how long they are together
     * @param firstOffset base offset of the first
     * @param nextOffset offset after the last
     * @param empty whether none of them, up to the end of the segment or the bound, has a record
     */
    public record Stretch(int position, int bytes, long firstOffset, long nextOffset, boolean empty) {}

    /**
     * Looks at a segment up to a point.
     *
     * @param limit position up to which the file is published
     * @param limitOffset offset of the batch that would begin there
     */
    public SegmentSlicer(Segment segment, EpochHistory epochs, int limit, long limitOffset) {
        this.segment = segment;
        this.epochs = epochs;
        this.limit = limit;
        this.limitOffset = limitOffset;
    }

    /**
     * The batches from the one on that holds an offset.
     *
     * @param offset within the segment
     * @param maxBytes most bytes; one batch is taken even if it is larger
     * @param endOffsetExclusive no batch that reaches this offset is taken
     * @return the batches, or empty if the first one reaches the end
     * @throws LogDamagedException if something else is there
     */
    public Optional<Stretch> find(long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        Optional<OffsetIndex.Entry> entry = segment.offsets().floor(offset).filter(e -> e.position() < limit);
        int position =
                entry.isPresent() && leadsToItsBatch(entry.get()) ? entry.get().position() : 0;
        headerAt(position, position == 0 ? segment.baseOffset() : UNKNOWN);
        while (header.lastOffset() < offset) {
            long next = header.nextOffset();
            position += header.sizeBytes();
            headerAt(position, next);
        }
        if (header.baseOffset() > offset) {
            throw damage(
                    position,
                    "offset " + offset + " is missing: the batch that should hold it begins at offset "
                            + header.baseOffset());
        }
        if (header.lastOffset() >= endOffsetExclusive) {
            return Optional.empty();
        }
        position = skipEmpty(position, endOffsetExclusive);
        boolean empty = header.isEmpty();
        long firstOffset = header.baseOffset();
        int end = position + header.sizeBytes();
        long next = header.nextOffset();
        Stretch found = endOffsetExclusive >= limitOffset && limit - position <= maxBytes
                ? new Stretch(position, limit - position, firstOffset, limitOffset, empty)
                : upTo(position, firstOffset, end, next, maxBytes, endOffsetExclusive, empty);
        verify(found);
        return Optional.of(found);
    }

    /**
     * Batches without records, which compaction leaves, are of use to nobody while others follow: some clients make no progress on an answer of
     * nothing else. Returns where the first batch with records begins, or the position as it was if none follows within the bounds.
     */
    private int skipEmpty(int position, long endOffset) throws IOException {
        int at = position;
        while (header.isEmpty()) {
            int following = at + header.sizeBytes();
            if (limit - following < RecordBatch.HEADER_SIZE) {
                headerAt(position, UNKNOWN);
                return position;
            }
            headerAt(following, header.nextOffset());
            if (header.lastOffset() >= endOffset) {
                headerAt(position, UNKNOWN);
                return position;
            }
            at = following;
        }
        return at;
    }

    /** Goes on from the last batch that the index proves to be within the bounds, header by header. */
    private Stretch upTo(
            int start, long firstOffset, int firstEnd, long firstNext, int maxBytes, long endOffset, boolean empty)
            throws IOException {
        int end = firstEnd;
        long next = firstNext;
        int bound = (int) Math.min((long) start + maxBytes, limit);
        Optional<OffsetIndex.Entry> byBytes = segment.offsets().floorByPosition(bound);
        Optional<OffsetIndex.Entry> byOffset = segment.offsets().floor(endOffset - 1);
        if (byBytes.isPresent() && byOffset.isPresent()) {
            OffsetIndex.Entry jump =
                    byBytes.get().position() < byOffset.get().position() ? byBytes.get() : byOffset.get();
            if (jump.position() > end && leadsToItsBatch(jump)) {
                end = jump.position();
                next = header.baseOffset();
            }
        }
        while (limit - end >= RecordBatch.HEADER_SIZE) {
            headerAt(end, next);
            if ((long) end + header.sizeBytes() > bound || header.lastOffset() >= endOffset) {
                break;
            }
            end += header.sizeBytes();
            next = header.nextOffset();
        }
        return new Stretch(start, end - start, firstOffset, next, empty);
    }

    /** An index may be damaged: then the batches themselves lead the way. */
    private boolean leadsToItsBatch(OffsetIndex.Entry entry) throws IOException {
        if (problemAt(entry.position(), UNKNOWN) != null) {
            return false;
        }
        return header.lastOffset() == entry.lastOffset();
    }

    private void headerAt(int position, long expectedOffset) throws IOException {
        String problem = problemAt(position, expectedOffset);
        if (problem != null) {
            throw damage(position, problem);
        }
    }

    private @Nullable String problemAt(int position, long expectedOffset) throws IOException {
        if (limit - position < RecordBatch.HEADER_SIZE || !fill(position)) {
            return "the file ends within the header of a batch";
        }
        header.wrap(window, position - windowStart);
        boolean possible = header.isPlausible()
                && header.sizeBytes() <= limit - position
                && header.baseOffset() >= segment.baseOffset()
                && header.nextOffset() <= limitOffset;
        if (!possible) {
            return "no batch begins here";
        }
        return expectedOffset == UNKNOWN || header.baseOffset() == expectedOffset
                ? null
                : "the batch has base offset " + header.baseOffset() + " where " + expectedOffset + " follows";
    }

    private boolean fill(int position) throws IOException {
        if (position >= windowStart && position + RecordBatch.HEADER_SIZE <= windowStart + window.limit()) {
            return true;
        }
        window.clear();
        window.limit(Math.min(WINDOW_BYTES, limit - position));
        segment.log().read(window, position);
        window.flip();
        windowStart = position;
        return window.limit() >= RecordBatch.HEADER_SIZE;
    }

    private void verify(Stretch stretch) throws IOException {
        int end = stretch.position() + stretch.bytes();
        if (segment.isVerified(stretch.position(), end)) {
            return;
        }
        SegmentScanner.Result scanned = new SegmentScanner(segment.log())
                .scan(stretch.position(), end, stretch.firstOffset(), stretch.position(), (batch, position, marker) -> {
                    int epoch = epochs.epochAt(batch.lastOffset());
                    if (batch.leaderEpoch() != epoch) {
                        throw damage(
                                position,
                                "the batch with offsets " + batch.baseOffset() + ".." + batch.lastOffset()
                                        + " has leader epoch " + batch.leaderEpoch() + ", and was written in epoch "
                                        + epoch);
                    }
                    return true;
                });
        if (scanned.problem() != null) {
            throw damage(scanned.endPosition(), scanned.problem());
        }
        if (scanned.nextOffset() != stretch.nextOffset()) {
            throw damage(end, "offset " + scanned.nextOffset() + " follows where " + stretch.nextOffset() + " should");
        }
        segment.onVerified(stretch.position(), end);
    }

    private LogDamagedException damage(int position, String what) {
        return Damage.of(segment.log().path(), position, what);
    }
}
