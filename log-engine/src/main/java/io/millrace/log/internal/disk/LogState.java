package io.millrace.log.internal.disk;

import io.millrace.log.LogClosedException;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.producer.ProducerStates;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that the parts of a log share. It belongs to the shard, except for what is published: the view, and whether the log is closed.
 */
final class LogState {
    private static final Logger LOG = LoggerFactory.getLogger(LogState.class);

    private final LogIdentity identity;
    private final LogContext context;
    private final SyncedOffsets.Entry entry;
    private final ProducerStates producers;
    private final SnapshotFiles snapshots;
    private volatile LogConfig config;
    private volatile LogView view;
    private volatile boolean closed;

    /** Whether anything was written since the log was opened, so that there is something to force when it is closed. */
    private boolean touched;

    private long bytesSinceSnapshot;

    LogState(
            LogIdentity identity, LogContext context, SyncedOffsets.Entry entry, RecoveredLog found, LogConfig config) {
        this.identity = identity;
        this.context = context;
        this.entry = entry;
        this.producers = found.producers();
        this.snapshots = found.snapshots();
        this.config = config;
        this.view = LogView.of(found, context.directory().syncedOffsets().cuts(entry));
        this.bytesSinceSnapshot = view.activeBytes();
    }

    LogIdentity identity() {
        return identity;
    }

    LogContext context() {
        return context;
    }

    SyncedOffsets.Entry entry() {
        return entry;
    }

    ProducerStates producers() {
        return producers;
    }

    SnapshotFiles snapshots() {
        return snapshots;
    }

    /** From any thread. */
    LogConfig config() {
        return config;
    }

    void config(LogConfig newConfig) {
        config = newConfig;
    }

    /** From any thread. */
    LogView view() {
        return view;
    }

    void publish(LogView newView) {
        view = newView;
    }

    /** From any thread. */
    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    boolean isTouched() {
        return touched;
    }

    void touch() {
        touched = true;
    }

    /** Counts bytes towards the next producer snapshot, and answers how many there are. */
    long addBytesSinceSnapshot(long bytes) {
        bytesSinceSnapshot += bytes;
        return bytesSinceSnapshot;
    }

    /** Writes a snapshot of the producers as they are now. It only saves reading, so a failure is none. */
    void writeSnapshot() {
        bytesSinceSnapshot = 0;
        try {
            snapshots.write(producers);
        } catch (IOException e) {
            LOG.debug("producer snapshot of {} not written", identity, e);
        }
    }

    void snapshotTakenAt(long bytesAgo) {
        bytesSinceSnapshot = bytesAgo;
    }

    /** Notes where the log starts, for people and for Kafka's tools; what a start goes by is in {@code synced-offsets}. */
    void noteStart(long logStartOffset) {
        if (identity.role() == LogRole.DATA) {
            context.directory().startOffsets().put(identity.partition(), logStartOffset);
        }
    }

    void ensureOpen() {
        if (closed) {
            throw new LogClosedException(identity + " is closed");
        }
    }

    void ensureWritable() {
        ensureOpen();
        context.directory().ensureWritable();
    }
}
