package io.millrace.log.internal.disk;

import io.millrace.log.internal.directory.DataDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Notices that somebody removed a log's files, or the whole data directory, while they are in use: the operating system lets an open file be
 * written and forced for as long as it is open, and so everything would go on being confirmed and be gone with the process.
 *
 * <p>Looked at before an append, at most once a second, which costs a system call or two. On the log's shard.
 */
final class InPlaceCheck {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final LogState state;
    private long checkedNs;

    InPlaceCheck(LogState state) {
        this.state = state;
        this.checkedNs = state.context().time().nanoTime();
    }

    /**
     * Looks, if the last look is long enough ago.
     *
     * @throws io.millrace.log.DirectoryReadOnlyException if something is missing; the directory takes no more writes then
     */
    void maybeRun() {
        long nowNs = state.context().time().nanoTime();
        if (nowNs - checkedNs < INTERVAL_NS) {
            return;
        }
        checkedNs = nowNs;
        DataDirectory directory = state.context().directory();
        try {
            if (!directory.isInPlace()) {
                throw removed(directory.path());
            }
            if (!state.view().active().log().exists()) {
                throw removed(state.view().active().log().path());
            }
        } catch (IOException e) {
            throw directory.fail("a look at the files of " + state.identity(), e);
        }
    }

    private static IOException removed(Path what) {
        return new NoSuchFileException(
                what.toString(),
                null,
                "removed, moved or replaced while the broker uses it; what was written to it in the last second may be lost."
                        + " Delete destinations with `millrace delete`, never their files");
    }
}
