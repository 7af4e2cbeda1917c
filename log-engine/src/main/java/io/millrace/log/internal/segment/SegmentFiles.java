package io.millrace.log.internal.segment;

import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.file.Path;

/** The files of a segment. Of these, the one of aborted transactions exists only when there are such. */
record SegmentFiles(LogFile log, LogFile offsets, LogFile times, LogFile transactions) {
    static SegmentFiles of(FileCache cache, Path directory, long baseOffset) {
        return of(cache, directory, baseOffset, "");
    }

    /** The files of a segment that have a further suffix. */
    static SegmentFiles of(FileCache cache, Path directory, long baseOffset, String suffix) {
        return new SegmentFiles(
                file(cache, directory, baseOffset, SegmentNames.LOG + suffix),
                file(cache, directory, baseOffset, SegmentNames.OFFSET_INDEX + suffix),
                file(cache, directory, baseOffset, SegmentNames.TIME_INDEX + suffix),
                file(cache, directory, baseOffset, SegmentNames.TRANSACTION_INDEX + suffix));
    }

    /** Renames all but the log file. */
    void moveIndexes(Path directory, long baseOffset, String suffix) throws IOException {
        offsets.moveTo(SegmentNames.file(directory, baseOffset, SegmentNames.OFFSET_INDEX + suffix));
        times.moveTo(SegmentNames.file(directory, baseOffset, SegmentNames.TIME_INDEX + suffix));
        if (transactions.exists()) {
            transactions.moveTo(SegmentNames.file(directory, baseOffset, SegmentNames.TRANSACTION_INDEX + suffix));
        }
    }

    private static LogFile file(FileCache cache, Path directory, long baseOffset, String suffix) {
        return new LogFile(cache, SegmentNames.file(directory, baseOffset, suffix));
    }

    /** Creates index files that are missing, empty. */
    void createMissingIndexes() throws IOException {
        if (!offsets.exists()) {
            offsets.create();
        }
        if (!times.exists()) {
            times.create();
        }
    }

    /** The log file last: while it exists, the segment does. */
    void delete() throws IOException {
        transactions.delete();
        times.delete();
        offsets.delete();
        log.delete();
    }

    void close() throws IOException {
        transactions.close();
        times.close();
        offsets.close();
        log.close();
    }
}
