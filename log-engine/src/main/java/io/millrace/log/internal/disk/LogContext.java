package io.millrace.log.internal.disk;

import io.millrace.log.DirectoryInfo;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.Reserve;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.Syncer;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;

/**
 * What the logs of one data directory share.
 *
 * @param directory the directory
 * @param cache its open files
 * @param journal holds what some of them have not forced
 * @param syncer makes its files durable
 * @param creation makes new ones
 * @param time clocks
 */
public record LogContext(
        DataDirectory directory,
        FileCache cache,
        CommitJournal journal,
        Syncer syncer,
        LogCreation creation,
        TimeSource time) {

    /** What a person wants to know of the directory, in which so many logs are. */
    public DirectoryInfo info(int logs) {
        return new DirectoryInfo(
                directory.path(),
                directory.meta().incarnation(),
                directory.startKind(),
                logs,
                DiskSpace.usableBytes(directory.path()),
                directory.reserve().heldBytes(),
                directory.reserve().isWhole(),
                directory.failure());
    }

    /** Has the journal say no more of a log. */
    void forget(LogKey key) throws IOException {
        withReserve(() -> journal.forget(key));
    }

    /** Writes what must go on while the disk is full, with space from the reserve. */
    void withReserve(SyncJob.Force write) throws IOException {
        withReserve(1, Reserve.User.METADATA, write);
    }

    /** The same for what takes so many bytes, and has as much of the reserve as {@code user} may. */
    void withReserve(long neededBytes, Reserve.User user, SyncJob.Force write) throws IOException {
        while (true) {
            long seen = directory.reserve().releases();
            try {
                write.run();
                return;
            } catch (IOException e) {
                if (!DiskSpace.isFull(e, directory.path(), neededBytes)
                        || !directory.reserve().release(neededBytes, seen, user)) {
                    throw e;
                }
            }
        }
    }
}
