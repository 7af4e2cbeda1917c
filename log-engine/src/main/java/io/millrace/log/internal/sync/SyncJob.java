package io.millrace.log.internal.sync;

import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedOffsets;
import java.io.IOException;
import java.util.List;

/**
 * What has to be forced for a log to be durable up to a point.
 *
 * @param target the log
 * @param forces files and directories, in any order and at the same time
 * @param entry the log's place in {@code synced-offsets}
 * @param cuts number of cuts of the log when the job began; a job from before a cut says nothing any more
 * @param checkpoint what is known of the log afterwards
 */
public record SyncJob(
        SyncTarget target, List<Force> forces, SyncedOffsets.Entry entry, long cuts, LogCheckpoint checkpoint) {
    /** One call to the disk that returns when something is durable. */
    public interface Force {
        void run() throws IOException;
    }

    public SyncJob {
        forces = List.copyOf(forces);
    }
}
