package io.millrace.log.internal.disk;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the directory of a new log: under another name first, so that one found under its own name is complete.
 */
public final class LogCreation {
    private LogCreation() {}

    /** Creates the directory, durably, with an empty first segment. */
    public static void create(LogIdentity identity, LogContext context) throws IOException {
        Path parent = identity.path().getParent();
        if (parent == null) {
            throw new IOException(identity.path() + " has no directory");
        }
        Path unfinished = parent.resolve(identity.logId() + "-"
                + identity.partition().partition()
                + (parent.equals(context.directory().path()) ? "" : "-cursors") + DataDirectory.CREATING_SUFFIX);
        DurableFiles.deleteTree(unfinished);
        Files.createDirectory(unfinished);
        boolean done = false;
        try {
            DurableFiles.replace(PartitionMetadata.file(unfinished), PartitionMetadata.encode(identity.logId()));
            Segment.create(context.cache(), unfinished, 0).close();
            DurableFiles.forceDirectory(unfinished);
            DurableFiles.move(unfinished, identity.path());
            DurableFiles.forceDirectory(parent);
            done = true;
        } finally {
            if (!done) {
                DurableFiles.deleteTree(unfinished);
            }
        }
        context.directory().syncedOffsets().enter(identity.key(), LogCheckpoint.emptyAt(0));
        context.directory().syncedOffsets().force();
    }
}
