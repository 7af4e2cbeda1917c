package io.millrace.log.internal.disk;

import io.millrace.log.AppendOrigin;
import io.millrace.log.DiskFullException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.Reserve;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.OpenFiles;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a write that fails. A full disk is an error to the one who appends, unless that must go on: then it gets space from the
 * reserve. Anything else makes the directory read-only. On the shard.
 */
final class GuardedWrites {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedWrites.class);

    private final LogState state;

    GuardedWrites(LogState state) {
        this.state = state;
    }

    /** Something that writes, and that may be done again if it failed. */
    interface Write {
        void run() throws IOException;
    }

    /** Whether an append may have what is left in the reserve. */
    boolean mayUseReserve(AppendOrigin origin) {
        return state.identity().role() == LogRole.CURSORS
                || origin == AppendOrigin.COORDINATOR
                || state.config().mayUseReserve();
    }

    /** The metadata log is the one whose configuration gives it the reserve. */
    private Reserve.User user() {
        boolean metadata =
                state.identity().role() == LogRole.DATA && state.config().mayUseReserve();
        return metadata ? Reserve.User.METADATA : Reserve.User.LOG;
    }

    /** Refuses what may not use the reserve while that is not whole: it would take what others need. */
    void ensureSpaceForSenders(int neededBytes) {
        if (!directory().reserve().isWhole()) {
            throw full(neededBytes, Optional.empty());
        }
    }

    /**
     * Writes.
     *
     * @param neededBytes how much space it takes
     * @param privileged whether the reserve may be used
     * @param what names it in a message
     */
    void run(int neededBytes, boolean privileged, String what, Write write) {
        while (true) {
            long seen = directory().reserve().releases();
            try {
                write.run();
                return;
            } catch (IOException e) {
                if (OpenFiles.areTooMany(e)) {
                    throw tooManyFiles(what, e);
                }
                if (!DiskSpace.isFull(e, state.identity().path(), neededBytes)) {
                    throw directory().fail(what + " " + state.identity(), e);
                }
                if (!privileged || !releaseReserve(neededBytes, seen)) {
                    giveBackSpace();
                    throw full(neededBytes, Optional.of(e));
                }
            }
        }
    }

    private DataDirectory directory() {
        return state.context().directory();
    }

    private boolean releaseReserve(int neededBytes, long seen) {
        try {
            return directory().reserve().release(neededBytes, seen, user());
        } catch (IOException e) {
            if (OpenFiles.areTooMany(e)) {
                throw tooManyFiles("a use of the reserve for", e);
            }
            throw directory().fail("a use of the reserve", e);
        }
    }

    private DiskFullException tooManyFiles(String what, IOException e) {
        return new DiskFullException(what + " " + state.identity() + " failed: " + OpenFiles.ADVICE, e);
    }

    /** A write that found no space may have taken some. */
    private void giveBackSpace() {
        LogView view = state.view();
        try {
            view.active().log().truncate(view.activeBytes());
        } catch (IOException e) {
            LOG.debug("{} keeps some bytes behind its end, which the next append overwrites", state.identity(), e);
        }
    }

    private DiskFullException full(int neededBytes, Optional<IOException> cause) {
        DataDirectory directory = directory();
        String message = "no space for " + neededBytes + " bytes in data directory " + directory.path() + " (log "
                + state.identity() + "): " + DiskSpace.usableBytes(directory.path())
                + " bytes are usable, and the reserve holds "
                + directory.reserve().heldBytes()
                + (directory.reserve().isWhole() ? "" : ", which is not whole")
                + ". Free space, shorten retention, or let consumers acknowledge";
        directory.onFull(message);
        return cause.map(e -> new DiskFullException(message, e)).orElseGet(() -> new DiskFullException(message));
    }
}
