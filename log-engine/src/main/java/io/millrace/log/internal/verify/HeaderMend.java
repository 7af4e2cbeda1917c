package io.millrace.log.internal.verify;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.BatchFinder;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A batch of which only the first fields of the header are damaged, those that the checksum does not cover. They can be told from the rest:
 * the base offset from the batch before, the length from where the next one begins, and the checksum proves that the records are those that
 * were written. A checksum that differs from the right one in a single bit is itself what was damaged: no damage of fewer than three
 * bits elsewhere has that effect.
 *
 * @param position where the batch begins
 * @param bytes the whole header, as it should be
 * @param what what was wrong
 */
record HeaderMend(int position, ByteBuffer bytes, String what) {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int MAX_PARSED_BYTES = 64 << 20;

    BatchHeader header() {
        return new BatchHeader().wrap(bytes, 0);
    }

    /** How a damaged batch can be set right, if it can. */
    static Optional<HeaderMend> find(LogFile file, int position, int size, long offset, BatchFinder finder)
            throws IOException {
        if (size - position < RecordBatch.HEADER_SIZE) {
            return Optional.empty();
        }
        ByteBuffer found = ByteBuffer.allocate(RecordBatch.HEADER_SIZE);
        file.read(found, position);
        ByteBuffer right = ByteBuffer.allocate(RecordBatch.HEADER_SIZE).put(found.flip());
        right.putLong(RecordBatch.BASE_OFFSET, offset).put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2);
        for (int end : ends(right, position, size, offset, finder)) {
            right.putInt(RecordBatch.LENGTH, end - position - RecordBatch.LOG_OVERHEAD);
            int sum = checksum(file, position, end);
            int difference = sum ^ right.getInt(RecordBatch.CRC);
            boolean plausible = new BatchHeader().wrap(right, 0).isPlausible();
            boolean checksumDamaged = Integer.bitCount(difference) == 1 && isReadable(file, position, end);
            if (plausible && (difference == 0 || checksumDamaged)) {
                right.putInt(RecordBatch.CRC, sum);
                return Optional.of(new HeaderMend(position, right.clear(), difference(found, right)));
            }
        }
        return Optional.empty();
    }

    /** Where the batch may end: where its length says, or where the next one begins, or with the file. */
    private static List<Integer> ends(ByteBuffer header, int position, int size, long offset, BatchFinder finder)
            throws IOException {
        int smallest = position + RecordBatch.HEADER_SIZE;
        long bySize = (long) position + RecordBatch.LOG_OVERHEAD + header.getInt(RecordBatch.LENGTH);
        int said = bySize >= smallest && bySize <= size ? (int) bySize : size;
        long next = offset + header.getInt(RecordBatch.LAST_OFFSET_DELTA) + 1;
        if (next <= offset) {
            return List.of(said);
        }
        int byNext = finder.next(smallest, next, Long.MAX_VALUE)
                .filter(found -> found.baseOffset() == next)
                .map(BatchFinder.Found::position)
                .orElse(size);
        return List.of(said, byNext);
    }

    private static int checksum(LogFile file, int position, int end) throws IOException {
        CRC32C sum = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (int at = position + RecordBatch.ATTRIBUTES; at < end; at += chunk.limit()) {
            chunk.clear().limit(Math.min(CHUNK_BYTES, end - at));
            file.read(chunk, at);
            sum.update(chunk.flip());
            if (chunk.limit() == 0) {
                break;
            }
        }
        return (int) sum.getValue();
    }

    private static boolean isReadable(LogFile file, int position, int end) throws IOException {
        if (end - position > MAX_PARSED_BYTES) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(end - position);
        file.read(bytes, position);
        bytes.flip().putInt(RecordBatch.LENGTH, end - position - RecordBatch.LOG_OVERHEAD);
        bytes.put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2);
        try (RecordCursor records = RecordBatch.at(bytes, 0).records()) {
            int count = 0;
            while (records.next()) {
                count++;
            }
            return count == bytes.getInt(RecordBatch.RECORDS_COUNT);
        } catch (RecordFormatException e) {
            return false;
        }
    }

    private static String difference(ByteBuffer found, ByteBuffer right) {
        StringBuilder what = new StringBuilder();
        if (found.getLong(RecordBatch.BASE_OFFSET) != right.getLong(RecordBatch.BASE_OFFSET)) {
            what.append("base offset ").append(found.getLong(RecordBatch.BASE_OFFSET));
        }
        if (found.getInt(RecordBatch.LENGTH) != right.getInt(RecordBatch.LENGTH)) {
            what.append(what.isEmpty() ? "" : ", ").append("length ").append(found.getInt(RecordBatch.LENGTH));
        }
        if (found.get(RecordBatch.MAGIC) != right.get(RecordBatch.MAGIC)) {
            what.append(what.isEmpty() ? "" : ", ").append("magic ").append(found.get(RecordBatch.MAGIC));
        }
        if (found.getInt(RecordBatch.CRC) != right.getInt(RecordBatch.CRC)) {
            what.append(what.isEmpty() ? "" : ", ")
                    .append("checksum ")
                    .append("%08x".formatted(found.getInt(RecordBatch.CRC)));
        }
        return what.toString();
    }
}
