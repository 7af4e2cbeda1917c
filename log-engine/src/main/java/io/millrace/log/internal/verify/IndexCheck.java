package io.millrace.log.internal.verify;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Compares the index files of a segment with its batches, which must be shown to it in order. */
final class IndexCheck {
    private static final int OFFSET_ENTRY_BYTES = 8;
    private static final int TIME_ENTRY_BYTES = 12;

    private final long baseOffset;
    private final LogFile offsets;
    private final LogFile times;

    /** Last offsets by position, as the offset index has them and no batch was shown for yet. */
    private final Map<Integer, Long> byPosition = new HashMap<>();

    /** Timestamps by last offset, as the time index has them and no batch was shown for yet. */
    private final Map<Long, Long> byOffset = new HashMap<>();

    private final Map<Path, String> problems = new TreeMap<>();

    IndexCheck(FileCache cache, Path directory, long baseOffset) {
        this.baseOffset = baseOffset;
        this.offsets = new LogFile(cache, SegmentNames.file(directory, baseOffset, SegmentNames.OFFSET_INDEX));
        this.times = new LogFile(cache, SegmentNames.file(directory, baseOffset, SegmentNames.TIME_INDEX));
    }

    void load() throws IOException {
        ByteBuffer offsetEntries = content(offsets, OFFSET_ENTRY_BYTES);
        while (offsetEntries.remaining() >= OFFSET_ENTRY_BYTES) {
            long lastOffset = baseOffset + offsetEntries.getInt();
            byPosition.put(offsetEntries.getInt(), lastOffset);
        }
        ByteBuffer timeEntries = content(times, TIME_ENTRY_BYTES);
        while (timeEntries.remaining() >= TIME_ENTRY_BYTES) {
            long timestampMs = timeEntries.getLong();
            byOffset.put(baseOffset + timeEntries.getInt(), timestampMs);
        }
    }

    private ByteBuffer content(LogFile file, int entryBytes) throws IOException {
        if (!file.exists()) {
            problems.put(file.path(), "the index is missing");
            return ByteBuffer.allocate(0);
        }
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(file.sizeBytes()));
        file.read(content, 0);
        file.close();
        if (content.position() % entryBytes != 0) {
            problems.put(file.path(), "the index has " + content.position() + " bytes, which are no whole entries");
        }
        return content.flip();
    }

    void onBatch(BatchHeader header, int position) {
        Long lastOffset = byPosition.remove(position);
        if (lastOffset != null && lastOffset != header.lastOffset()) {
            problems.put(
                    offsets.path(),
                    "an entry says that the batch at position " + position + " ends with offset " + lastOffset
                            + ", and it ends with " + header.lastOffset());
        }
        Long timestampMs = byOffset.remove(header.lastOffset());
        if (timestampMs != null && timestampMs != header.maxTimestampMs()) {
            problems.put(
                    times.path(),
                    "an entry says that the batch that ends with offset " + header.lastOffset() + " has timestamp "
                            + timestampMs + ", and it has " + header.maxTimestampMs());
        }
    }

    /**
     * All batches were shown.
     *
     * @param whole whether the segment was read to its end: else entries for the rest prove nothing
     */
    void finish(boolean whole) {
        if (whole && !byPosition.isEmpty()) {
            problems.put(offsets.path(), byPosition.size() + " entries point to no batch");
        }
        if (whole && !byOffset.isEmpty()) {
            problems.put(times.path(), byOffset.size() + " entries are for no batch");
        }
    }

    /** What is wrong, by file. */
    Map<Path, String> problems() {
        return problems;
    }
}
