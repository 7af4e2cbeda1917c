package io.millrace.log.internal.journal;

import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.LogFile;
import java.util.List;

/**
 * What one log has written and not made durable yet.
 *
 * @param key the log
 * @param place its place in {@code synced-offsets}, which knows how often it was cut
 * @param cuts number of cuts when this was looked at: after another one it says nothing any more
 * @param epoch latest leader epoch of the log
 * @param ranges whole batches, in the order of their offsets
 */
public record JournalEntry(LogKey key, SyncedOffsets.Entry place, long cuts, int epoch, List<Range> ranges) {
    public JournalEntry {
        ranges = List.copyOf(ranges);
    }

    /**
     * Batches of one segment.
     *
     * @param file the segment's log file
     * @param segment base offset of the segment
     * @param firstOffset offset of the first record
     * @param endOffset offset after the last one
     * @param position where they begin in the file
     * @param sizeBytes how long they are together
     */
    public record Range(LogFile file, long segment, long firstOffset, long endOffset, int position, int sizeBytes) {}

    /** How many bytes of batches there are. */
    public long sizeBytes() {
        long sum = 0;
        for (Range range : ranges) {
            sum += range.sizeBytes;
        }
        return sum;
    }
}
