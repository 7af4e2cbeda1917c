package io.millrace.log.internal.segment;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.Markers;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Walks the batches of a log file in order, through one buffer of bounded size whatever lengths it meets: the file may hold anything. For
 * one thread.
 */
public final class SegmentScanner {
    /** For a scan that begins at an offset not known. */
    public static final long ANY_OFFSET = -1;

    private static final int WINDOW_BYTES = 256 * 1024;

    private final LogFile log;
    private final BatchHeader header = new BatchHeader();
    private final ByteBuffer window;
    private long windowStart;

    /** Sees the batches of a scan. */
    public interface Visitor {
        /**
         * A whole batch.
         *
         * @param header its header, to be used during the call only
         * @param position where it begins
         * @param marker the end of a transaction that it is, else {@code null}
         * @return whether to go on
         */
        boolean onBatch(BatchHeader header, int position, @Nullable EndTransactionMarker marker) throws IOException;
    }

    /**
     * How far a scan came.
     *
     * @param endPosition position after the last good batch
     * @param nextOffset offset after it, or where the scan started if there was none
     * @param problem what is wrong at {@code endPosition}, or {@code null} if the scan reached its end or was stopped
     */
    public record Result(
            int endPosition, long nextOffset, @Nullable String problem) {}

    public SegmentScanner(LogFile log) {
        this(log, WINDOW_BYTES);
    }

    SegmentScanner(LogFile log, int windowBytes) {
        this.log = log;
        this.window = ByteBuffer.allocate(windowBytes).limit(0);
    }

    /**
     * Walks the batches from a position to another.
     *
     * @param from where a batch begins
     * @param to where the last one should end
     * @param firstOffset base offset of the first batch, or {@link #ANY_OFFSET}; each further one must follow without a gap
     * @param verifyFrom position from which on checksums are verified
     */
    public Result scan(int from, int to, long firstOffset, int verifyFrom, Visitor visitor) throws IOException {
        int position = from;
        long offset = firstOffset;
        while (position < to) {
            String problem = problemAt(position, to, offset, position >= verifyFrom);
            if (problem != null) {
                return new Result(position, offset, problem);
            }
            EndTransactionMarker marker;
            try {
                marker = marker(position);
            } catch (RecordFormatException e) {
                return new Result(position, offset, e.getMessage());
            }
            int size = header.sizeBytes();
            long next = header.nextOffset();
            boolean goOn = visitor.onBatch(header, position, marker);
            position += size;
            offset = next;
            if (!goOn) {
                break;
            }
        }
        return new Result(position, offset, null);
    }

    private @Nullable String problemAt(int position, int to, long expectedOffset, boolean verify) throws IOException {
        int available = to - position;
        if (available < RecordBatch.HEADER_SIZE || !fill(position, RecordBatch.HEADER_SIZE)) {
            return "the file ends within the header of a batch: " + available + " bytes are there";
        }
        wrap(position);
        if (!header.isPlausible()) {
            return "no batch begins here";
        }
        if (header.sizeBytes() > available) {
            return "a batch of " + header.sizeBytes() + " bytes is cut short: " + available + " bytes are there";
        }
        if (expectedOffset != ANY_OFFSET && header.baseOffset() != expectedOffset) {
            return "the batch has base offset " + header.baseOffset() + " where " + expectedOffset + " follows";
        }
        if (verify && !isChecksumRight(position)) {
            return "the checksum of the batch with offsets " + header.baseOffset() + ".." + header.lastOffset()
                    + " is wrong";
        }
        return null;
    }

    private boolean isChecksumRight(int position) throws IOException {
        int crc = header.crc();
        int size = header.sizeBytes();
        CRC32C sum = new CRC32C();
        int done = RecordBatch.ATTRIBUTES;
        while (done < size) {
            int chunk = Math.min(size - done, window.capacity());
            if (!fill(position + done, chunk)) {
                return false;
            }
            sum.update(window.array(), (int) (position + done - windowStart), chunk);
            done += chunk;
        }
        boolean right = (int) sum.getValue() == crc;
        if (fill(position, RecordBatch.HEADER_SIZE)) {
            wrap(position);
        }
        return right;
    }

    private @Nullable EndTransactionMarker marker(int position) throws IOException {
        // A marker has one short record; whatever is longer is none.
        if (!header.isTransactionMarker() || header.sizeBytes() > window.capacity()) {
            return null;
        }
        if (!fill(position, header.sizeBytes())) {
            return null;
        }
        wrap(position);
        return Markers.markerOf(RecordBatch.at(window, (int) (position - windowStart)));
    }

    private void wrap(int position) {
        header.wrap(window, (int) (position - windowStart));
    }

    /** Has the window hold these bytes of the file. Answers false if the file is shorter. */
    private boolean fill(long position, int bytes) throws IOException {
        if (position >= windowStart && position + bytes <= windowStart + window.limit()) {
            return true;
        }
        window.clear();
        int read = log.read(window, position);
        window.flip();
        windowStart = position;
        return read >= bytes;
    }
}
