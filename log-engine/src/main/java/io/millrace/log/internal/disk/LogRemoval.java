package io.millrace.log.internal.disk;

import io.millrace.log.DiskFullException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.Leftovers;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a log for good. Its directory gets a name that the next start takes for rubbish, durably; the files go when the syncer has time
 * for it. The cursors of a partition go with its data.
 */
public final class LogRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(LogRemoval.class);

    private LogRemoval() {}

    /**
     * Removes the log of this identity, which is not open any more.
     *
     * @throws DiskFullException if there are too many open files: then the log may still be there, and can be removed again
     */
    public static void remove(LogIdentity identity, LogContext context) {
        DataDirectory directory = context.directory();
        Path doomed = identity.path().resolveSibling(doomedName(identity));
        LogKey cursors = new LogKey(identity.logId(), identity.partition().partition(), LogRole.CURSORS);
        directory.syncedOffsets().announceCut(identity.key());
        try {
            DurableFiles.deleteTree(doomed);
            if (Files.isDirectory(identity.path())) {
                DurableFiles.move(identity.path(), doomed);
                DurableFiles.forceDirectory(parent(identity));
            }
            context.forget(identity.key());
            directory.syncedOffsets().remove(identity.key());
            if (identity.role() == LogRole.DATA) {
                directory.syncedOffsets().announceCut(cursors);
                context.forget(cursors);
                directory.syncedOffsets().remove(cursors);
                directory.startOffsets().remove(identity.partition());
            }
        } catch (IOException e) {
            if (OpenFiles.areTooMany(e)) {
                throw new DiskFullException("removing " + identity + " failed: " + OpenFiles.ADVICE, e);
            }
            throw directory.fail("removing " + identity, e);
        }
        context.syncer().later(() -> deleteFiles(doomed));
    }

    private static void deleteFiles(Path doomed) {
        try {
            DurableFiles.deleteTree(doomed);
        } catch (IOException e) {
            LOG.warn("{} cannot be removed; the next start tries again", doomed, e);
        }
    }

    /** Short, since the name of the log itself may be as long as a file system takes. */
    private static String doomedName(LogIdentity identity) {
        return identity.role() == LogRole.DATA
                ? identity.logId() + "-" + identity.partition().partition() + Leftovers.DELETED_SUFFIX
                : DurableFiles.name(identity.path()) + Leftovers.DELETED_SUFFIX;
    }

    private static Path parent(LogIdentity identity) throws IOException {
        Path parent = identity.path().getParent();
        if (parent == null) {
            throw new IOException(identity.path() + " has no directory");
        }
        return parent;
    }
}
