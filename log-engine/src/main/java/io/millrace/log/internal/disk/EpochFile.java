package io.millrace.log.internal.disk;

import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The epoch checkpoint of a log, which two threads write: the syncer as a rule, the shard when it cuts the log. What the syncer saw before a
 * cut must not overwrite what the cut left.
 */
final class EpochFile {
    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private long cuts;

    EpochFile(Path directory) {
        this.file = directory.resolve(SegmentNames.EPOCH_CHECKPOINT);
    }

    /** Replaces the file durably, unless the log was cut more often than that since. */
    void write(EpochHistory epochs, long seenCuts) throws IOException {
        lock.lock();
        try {
            if (seenCuts >= cuts) {
                cuts = seenCuts;
                EpochCheckpoint.write(file, epochs);
            }
        } finally {
            lock.unlock();
        }
    }
}
