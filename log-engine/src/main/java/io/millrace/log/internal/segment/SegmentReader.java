package io.millrace.log.internal.segment;

import io.millrace.log.LogDamagedException;
import io.millrace.log.LogSlice;
import io.millrace.log.TimestampedOffset;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.TimestampSearch;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads from a segment, as a rule with a single access to the file: from where the index points, skip to the batch that holds the offset,
 * and take what follows.
 *
 * <p>Whatever is returned was verified: the checksum, and the two fields that it does not cover. Offsets must continue from the index entry,
 * which names the last offset of its batch, or from the beginning of the segment; epochs must be those of the log's history. One instance
 * per read, on any thread.
 */
public final class SegmentReader {
    /** Read on top of what is wanted, so that the batches between the index entry and the offset seldom cost a second access. */
    private static final int SKIP_BYTES = 8192;

    private static final long UNKNOWN = -1;

    private final Segment segment;
    private final EpochHistory epochs;
    private final int limit;
    private final long limitOffset;
    private final BatchHeader header = new BatchHeader();
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    /** Position in the file of the buffer's first byte. */
    private int bufferPosition;

    /** Base offset that the next batch must have. */
    private long expectedOffset;

    public SegmentReader(Segment segment, EpochHistory epochs) {
        this.segment = segment;
        this.epochs = epochs;
        // The offset is set before the size, so it is at least that of what lies below the size.
        this.limit = segment.sizeBytes();
        this.limitOffset = segment.nextOffset();
    }

    /**
     * Reads whole batches from the one on that holds an offset.
     *
     * @return the batches, or empty if the segment ends below the offset
     * @throws LogDamagedException if something else is there
     */
    public Optional<LogSlice> read(long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        Optional<OffsetIndex.Entry> entry = segment.offsets().floor(offset).filter(e -> e.position() > 0);
        if (entry.isEmpty()) {
            return readFromStart(offset, maxBytes, endOffsetExclusive);
        }
        try {
            expectedOffset = UNKNOWN;
            load(entry.get().position(), maxBytes + (long) SKIP_BYTES);
            headerAt(0, maxBytes);
            if (header.lastOffset() != entry.get().lastOffset()) {
                throw damage(
                        0,
                        "the index has a batch here that ends with offset "
                                + entry.get().lastOffset() + ", and this one ends with " + header.lastOffset());
            }
            return findAndTake(offset, maxBytes, endOffsetExclusive);
        } catch (LogDamagedException e) {
            // Perhaps only the index is wrong. The log itself tells.
            return readFromStart(offset, maxBytes, endOffsetExclusive);
        }
    }

    /**
     * Returns the latest time in the batch that holds an offset, or nothing if the segment ends below it. Reads headers only and verifies no
     * records.
     *
     * @throws LogDamagedException if there is no batch where one should be
     */
    public OptionalLong batchTimestampAt(long offset) throws IOException {
        expectedOffset = UNKNOWN;
        load(segment.offsets().floorPosition(offset), SKIP_BYTES);
        int at = 0;
        while (bufferPosition + at < limit) {
            at = headerAt(at, 0);
            if (header.lastOffset() >= offset) {
                return OptionalLong.of(header.maxTimestampMs());
            }
            at += header.sizeBytes();
        }
        return OptionalLong.empty();
    }

    private Optional<LogSlice> readFromStart(long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        expectedOffset = segment.baseOffset();
        load(0, maxBytes + (long) SKIP_BYTES);
        return findAndTake(offset, maxBytes, endOffsetExclusive);
    }

    private Optional<LogSlice> findAndTake(long offset, int maxBytes, long endOffsetExclusive) throws IOException {
        int at = 0;
        while (true) {
            if (bufferPosition + at >= limit) {
                return Optional.empty();
            }
            at = headerAt(at, maxBytes);
            if (header.lastOffset() >= offset) {
                break;
            }
            expectedOffset = header.nextOffset();
            at += header.sizeBytes();
        }
        if (header.baseOffset() > offset) {
            throw damage(
                    at,
                    "offset " + offset + " is missing: the batch that should hold it begins at offset "
                            + header.baseOffset());
        }
        if (header.sizeBytes() > buffer.limit() - at) {
            load(bufferPosition + at, Math.max(header.sizeBytes(), maxBytes));
            at = 0;
        }
        LogSlice slice = take(at, maxBytes, endOffsetExclusive);
        return Optional.of(slice.isEmpty() ? LogSlice.empty(offset) : slice);
    }

    /** Has the header view point at the batch here, reading on if its header is not in the buffer; returns where it is then. */
    private int headerAt(int at, int maxBytes) throws IOException {
        int here = at;
        if (buffer.limit() - here < RecordBatch.HEADER_SIZE) {
            load(bufferPosition + here, maxBytes + (long) SKIP_BYTES);
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
                && header.baseOffset() >= segment.baseOffset()
                && header.nextOffset() <= limitOffset;
        if (!possible) {
            throw damage(at, "no batch begins here");
        }
        if (expectedOffset != UNKNOWN && header.baseOffset() != expectedOffset) {
            throw damage(
                    at, "the batch has base offset " + header.baseOffset() + " where " + expectedOffset + " follows");
        }
    }

    private LogSlice take(int start, int maxBytes, long endOffsetExclusive) {
        long firstOffset = header.wrap(buffer, start).baseOffset();
        expectedOffset = firstOffset;
        int end = start;
        RecordBatch batch = new RecordBatch();
        while (buffer.limit() - end >= RecordBatch.HEADER_SIZE) {
            checkHeader(end);
            int size = header.sizeBytes();
            boolean full = end > start && size > maxBytes - (end - start);
            if (full || size > buffer.limit() - end) {
                break;
            }
            verify(batch.wrap(buffer, end), end);
            if (header.lastOffset() >= endOffsetExclusive) {
                break;
            }
            expectedOffset = header.nextOffset();
            end += size;
        }
        return new LogSlice(firstOffset, expectedOffset, buffer.slice(start, end - start));
    }

    private void verify(RecordBatch batch, int at) {
        if (!batch.isCrcValid()) {
            throw damage(
                    at,
                    "the checksum of the batch with offsets " + batch.baseOffset() + ".." + batch.lastOffset()
                            + " is wrong");
        }
        int epoch = epochs.epochAt(batch.lastOffset());
        if (batch.partitionLeaderEpoch() != epoch) {
            throw damage(
                    at,
                    "the batch with offsets " + batch.baseOffset() + ".." + batch.lastOffset() + " has leader epoch "
                            + batch.partitionLeaderEpoch() + ", and was written in epoch " + epoch);
        }
    }

    private void load(int position, long bytes) throws IOException {
        buffer = ByteBuffer.allocate(Math.toIntExact(Math.min(bytes, limit - position)));
        bufferPosition = position;
        segment.log().read(buffer, position);
        buffer.flip();
    }

    private LogDamagedException damage(int at, String what) {
        return Damage.of(segment.log().path(), (long) bufferPosition + at, what);
    }

    /** The first record at or above {@code fromOffset} that has this timestamp or a later one, if it is in this segment. */
    public Optional<TimestampedOffset> offsetForTimestamp(long timestampMs, long fromOffset) throws IOException {
        if (segment.maxTimestampMs() < timestampMs) {
            return Optional.empty();
        }
        long candidate = Math.max(segment.times().floorOffset(timestampMs), fromOffset);
        List<TimestampedOffset> found = new ArrayList<>(1);
        SegmentScanner.Result scanned = new SegmentScanner(segment.log())
                .scan(
                        segment.offsets().floorPosition(candidate),
                        limit,
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (batch, position, marker) -> {
                            if (batch.maxTimestampMs() >= timestampMs && batch.lastOffset() >= fromOffset) {
                                inBatch(position, batch.sizeBytes(), timestampMs, fromOffset)
                                        .ifPresent(found::add);
                            }
                            return found.isEmpty();
                        });
        if (scanned.problem() != null) {
            throw Damage.of(segment.log().path(), scanned.endPosition(), scanned.problem());
        }
        return found.stream().findFirst();
    }

    /** Largest timestamp of a record within offsets, or -1 if there is none: from headers, and records where a bound cuts a batch. */
    public long largestTimestampMs(long fromOffset, long endOffsetExclusive) throws IOException {
        long[] largest = {RecordBatch.NO_TIMESTAMP};
        SegmentScanner.Result scanned = new SegmentScanner(segment.log())
                .scan(
                        segment.offsets().floorPosition(fromOffset),
                        limit,
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (batch, position, marker) -> {
                            boolean within = batch.lastOffset() < endOffsetExclusive;
                            if (within && batch.lastOffset() >= fromOffset && batch.maxTimestampMs() > largest[0]) {
                                load(position, batch.sizeBytes());
                                RecordBatch whole = RecordBatch.at(buffer, 0);
                                verify(whole, 0);
                                largest[0] = Math.max(largest[0], TimestampSearch.largestFrom(whole, fromOffset));
                            }
                            return within;
                        });
        if (scanned.problem() != null) {
            throw Damage.of(segment.log().path(), scanned.endPosition(), scanned.problem());
        }
        return largest[0];
    }

    private Optional<TimestampedOffset> inBatch(int position, int size, long timestampMs, long fromOffset)
            throws IOException {
        load(position, size);
        RecordBatch batch = RecordBatch.at(buffer, 0);
        verify(batch, 0);
        return TimestampSearch.inBatch(batch, timestampMs, fromOffset);
    }
}
