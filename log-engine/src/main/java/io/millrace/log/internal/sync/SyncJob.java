package io.millrace.log.internal.sync;

import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.journal.JournalEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What has to be forced for a log to be durable up to a point.
 *
 * @param target the log
 * @param forces files and directories, in any order and at the same time
 * @param entry the log's place in {@code synced-offsets}
 * @param cuts number of cuts of the log when the job began; a job from before a cut says nothing any more
 * @param checkpoint what is known of the log afterwards
 * @param journal what may be written to the commit journal instead of all those forces, if that says the same
 */
public record SyncJob(
        SyncTarget target,
        List<Force> forces,
        SyncedOffsets.Entry entry,
        long cuts,
        LogCheckpoint checkpoint,
        Optional<JournalEntry> journal) {
    /** One call to the disk that returns when something is durable. */
    public interface Force {
        void run() throws IOException;
    }

    public SyncJob {
        forces = List.copyOf(forces);
    }
}
