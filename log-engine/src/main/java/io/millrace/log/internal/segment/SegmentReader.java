package io.millrace.log.internal.segment;

import io.millrace.log.LogDamagedException;
import io.millrace.log.LogSlice;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.TimestampSearch;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads from a segment, as a rule with a single access to the file: from where the index points, skip to the batch that holds the offset,
 * and take what follows. Every batch that is returned has its checksum verified. One instance per read, on any thread.
 */
public final class SegmentReader {
    /** Read on top of what is wanted, so that the batches between the index entry and the offset seldom cost a second access. */
    private static final int SKIP_BYTES = 8192;

    private final Segment segment;
    private final int limit;
    private final BatchHeader header = new BatchHeader();
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    /** Position in the file of the buffer's first byte. */
    private int bufferPosition;

    public SegmentReader(Segment segment) {
        this.segment = segment;
        this.limit = segment.sizeBytes();
    }

    /**
     * Reads whole batches from the one on that holds an offset.
     *
     * @return the batches, or empty if the segment ends below the offset
     * @throws LogDamagedException if something else is there
     */
    public Optional<LogSlice> read(long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        int from = segment.offsets().floorPosition(offset);
        if (from == 0) {
            return read(0, offset, maxBytes, endOffsetExclusive);
        }
        try {
            return read(from, offset, maxBytes, endOffsetExclusive);
        } catch (LogDamagedException e) {
            // Perhaps only the index is wrong. The log itself tells.
            return read(0, offset, maxBytes, endOffsetExclusive);
        }
    }

    private Optional<LogSlice> read(int from, long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        load(from, Math.min((long) maxBytes + SKIP_BYTES, limit - from));
        int at = 0;
        while (true) {
            if (bufferPosition + at >= limit) {
                return Optional.empty();
            }
            at = headerAt(at, maxBytes);
            if (header.lastOffset() >= offset) {
                break;
            }
            at += header.sizeBytes();
        }
        if (header.baseOffset() > offset) {
            throw damage(
                    at,
                    "offset " + offset + " is missing: the batch that should hold it begins at offset "
                            + header.baseOffset());
        }
        if (header.lastOffset() >= endOffsetExclusive) {
            return Optional.of(LogSlice.empty(offset));
        }
        if (header.sizeBytes() > buffer.limit() - at) {
            load(bufferPosition + at, Math.max(header.sizeBytes(), Math.min(maxBytes, limit - bufferPosition - at)));
            at = 0;
        }
        return Optional.of(takeFrom(at, maxBytes, endOffsetExclusive));
    }

    /** Has the header view point at the batch here, reading on if its header is not in the buffer; returns where it is then. */
    private int headerAt(int at, int maxBytes) throws IOException {
        int here = at;
        if (buffer.limit() - here < RecordBatch.HEADER_SIZE) {
            int position = bufferPosition + here;
            load(position, Math.min((long) maxBytes + SKIP_BYTES, limit - position));
            here = 0;
            if (buffer.limit() < RecordBatch.HEADER_SIZE) {
                throw damage(here, "the file ends within the header of a batch");
            }
        }
        checkHeader(here);
        return here;
    }

    private void checkHeader(int at) {
        header.wrap(buffer, at);
        boolean possible = header.isPlausible()
                && header.sizeBytes() <= limit - bufferPosition - at
                && header.baseOffset() >= segment.baseOffset();
        if (!possible) {
            throw damage(at, "no batch begins here");
        }
    }

    private LogSlice takeFrom(int start, int maxBytes, long endOffsetExclusive) {
        long firstOffset = header.wrap(buffer, start).baseOffset();
        long next = firstOffset;
        int end = start;
        RecordBatch batch = new RecordBatch();
        while (buffer.limit() - end >= RecordBatch.HEADER_SIZE) {
            checkHeader(end);
            int size = header.sizeBytes();
            boolean full = end > start && size > maxBytes - (end - start);
            if (full || size > buffer.limit() - end || header.lastOffset() >= endOffsetExclusive) {
                break;
            }
            if (header.baseOffset() != next) {
                throw damage(end, "the batch has base offset " + header.baseOffset() + " where " + next + " follows");
            }
            if (!batch.wrap(buffer, end).isCrcValid()) {
                throw damage(
                        end,
                        "the checksum of the batch with offsets " + header.baseOffset() + ".." + header.lastOffset()
                                + " is wrong");
            }
            next = header.nextOffset();
            end += size;
        }
        return new LogSlice(firstOffset, next, buffer.slice(start, end - start));
    }

    private void load(int position, long bytes) throws IOException {
        buffer = ByteBuffer.allocate(
                Math.toIntExact(Math.max(bytes, Math.min(RecordBatch.HEADER_SIZE, limit - position))));
        bufferPosition = position;
        segment.log().read(buffer, position);
        buffer.flip();
    }

    private LogDamagedException damage(int at, String what) {
        return Damage.of(segment.log().path(), (long) bufferPosition + at, what);
    }

    /** The first offset at or above {@code fromOffset} whose record has this timestamp or a later one, if it is in this segment. */
    public OptionalLong offsetForTimestamp(long timestampMs, long fromOffset) throws IOException {
        if (segment.maxTimestampMs() < timestampMs) {
            return OptionalLong.empty();
        }
        long candidate = Math.max(segment.times().floorOffset(timestampMs), fromOffset);
        OptionalLong[] found = {OptionalLong.empty()};
        SegmentScanner.Result scanned = new SegmentScanner(segment.log())
                .scan(
                        segment.offsets().floorPosition(candidate),
                        limit,
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (batch, position, marker) -> {
                            if (batch.maxTimestampMs() >= timestampMs && batch.lastOffset() >= fromOffset) {
                                found[0] = inBatch(position, batch.sizeBytes(), timestampMs, fromOffset);
                            }
                            return found[0].isEmpty();
                        });
        if (scanned.problem() != null) {
            throw Damage.of(segment.log().path(), scanned.endPosition(), scanned.problem());
        }
        return found[0];
    }

    private OptionalLong inBatch(int position, int size, long timestampMs, long fromOffset) throws IOException {
        load(position, size);
        RecordBatch batch = RecordBatch.at(buffer, 0);
        if (!batch.isCrcValid()) {
            throw damage(
                    0,
                    "the checksum of the batch with offsets " + batch.baseOffset() + ".." + batch.lastOffset()
                            + " is wrong");
        }
        return TimestampSearch.inBatch(batch, timestampMs, fromOffset);
    }
}
