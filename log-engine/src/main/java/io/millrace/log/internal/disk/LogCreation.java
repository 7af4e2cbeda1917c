package io.millrace.log.internal.disk;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.Leftovers;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.file.SharedForce;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.sync.SyncRound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Makes the directories of new logs in a data directory: under another name first, so that one found under its own name is complete.
 *
 * <p>A log costs a directory, four files and four forces, in two waits: of its content, its names and its entry in {@code synced-offsets} at
 * the same time, then of its name in the data directory. Who creates logs at the same time shares the forces of the two that are the
 * directory's. From any thread.
 */
public final class LogCreation {
    private final DataDirectory directory;
    private final FileCache cache;
    private final SyncRound forcing;
    private final SharedForce entries;
    private final SharedForce names;

    /**
     * @param helpers force files at the same time
     */
    public LogCreation(DataDirectory directory, FileCache cache, Executor helpers) {
        this.directory = directory;
        this.cache = cache;
        this.forcing = new SyncRound(helpers);
        this.entries = new SharedForce(directory.syncedOffsets()::force);
        this.names = new SharedForce(() -> DurableFiles.forceDirectory(directory.path()));
    }

    /** Creates the directory, durably, with an empty first segment. */
    public void create(LogIdentity identity) throws IOException {
        Path parent = identity.path().getParent();
        if (parent == null) {
            throw new IOException(identity.path() + " has no directory");
        }
        boolean ofData = parent.equals(directory.path());
        Path unfinished = parent.resolve(identity.logId() + "-"
                + identity.partition().partition() + (ofData ? "" : "-cursors") + Leftovers.CREATING_SUFFIX);
        DurableFiles.deleteTree(unfinished);
        Files.createDirectory(unfinished);
        boolean done = false;
        try {
            fill(unfinished, identity);
            DurableFiles.move(unfinished, identity.path());
            if (ofData) {
                names.run();
            } else {
                DurableFiles.forceDirectory(parent);
            }
            done = true;
        } finally {
            if (!done) {
                DurableFiles.deleteTree(unfinished);
            }
        }
    }

    private void fill(Path unfinished, LogIdentity identity) throws IOException {
        LogFile metadata = new LogFile(cache, PartitionMetadata.file(unfinished));
        metadata.create();
        try {
            ByteBuffer content = StandardCharsets.UTF_8.encode(PartitionMetadata.encode(identity.logId()));
            metadata.write(content, 0);
            Segment.create(cache, unfinished, 0).close();
            // Before the log is there: what is known of one of the same identity that was removed must not be taken for
            // its own.
            directory.syncedOffsets().enterNew(identity.key(), LogCheckpoint.emptyAt(0));
            IOException failure =
                    forcing.run(List.of(metadata::force, () -> DurableFiles.forceDirectory(unfinished), entries::run));
            if (failure != null) {
                throw failure;
            }
        } finally {
            metadata.close();
        }
    }
}
