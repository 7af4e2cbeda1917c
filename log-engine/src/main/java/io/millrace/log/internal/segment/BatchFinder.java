package io.millrace.log.internal.segment;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Finds whole batches behind damage, where the length that should lead to them cannot be trusted. For one thread. */
public final class BatchFinder {
    private static final int WINDOW_BYTES = 256 * 1024;

    private final LogFile log;
    private final int size;
    private final SegmentScanner scanner;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private final BatchHeader header = new BatchHeader();

    /**
     * A batch whose checksum is right.
     *
     * @param position where it begins
     * @param baseOffset its first offset
     */
    public record Found(int position, long baseOffset) {}

    /**
     * @param size where the file ends
     */
    public BatchFinder(LogFile log, int size) {
        this.log = log;
        this.size = size;
        this.scanner = new SegmentScanner(log);
    }

    /**
     * The first batch at or after a position whose offsets are within bounds.
     *
     * @param fromOffset lowest base offset
     * @param endOffset above its last offset
     */
    public Optional<Found> next(int from, long fromOffset, long endOffset) throws IOException {
        int position = from;
        while (size - position >= RecordBatch.HEADER_SIZE) {
            window.clear().limit(Math.min(WINDOW_BYTES, size - position));
            log.read(window, position);
            window.flip();
            int last = window.limit() - RecordBatch.HEADER_SIZE;
            for (int i = 0; i <= last; i++) {
                if (couldBegin(i, fromOffset, endOffset) && isWhole(position + i, header.baseOffset())) {
                    return Optional.of(new Found(position + i, header.baseOffset()));
                }
            }
            if (last < 0) {
                break;
            }
            position += last + 1;
        }
        return Optional.empty();
    }

    private boolean couldBegin(int at, long fromOffset, long endOffset) {
        if (window.get(at + RecordBatch.MAGIC) != RecordBatch.MAGIC_V2) {
            return false;
        }
        header.wrap(window, at);
        return header.isPlausible() && header.baseOffset() >= fromOffset && header.nextOffset() <= endOffset;
    }

    private boolean isWhole(int position, long baseOffset) throws IOException {
        SegmentScanner.Result scanned =
                scanner.scan(position, size, baseOffset, position, (batch, at, marker) -> false);
        return scanned.problem() == null && scanned.endPosition() > position;
    }
}
