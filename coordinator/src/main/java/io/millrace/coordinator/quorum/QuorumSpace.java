package io.millrace.coordinator.quorum;

import io.millrace.log.DirectoryInfo;
import java.util.function.Supplier;

/**
 * Whether the disk has room for what this member is about to write. The Raft core cannot take a record back that it was given, and ends
 * when it cannot write one; so what would find the disk full is refused before.
 *
 * <p>The last part of a directory's reserve is the metadata's, so what was found here is not taken by others meanwhile. Where there is no
 * reserve, the disk may be filled between the look and the write. May be used from any thread.
 *
 * @param directory looks at the directory that has the metadata
 */
record QuorumSpace(Supplier<DirectoryInfo> directory) {

    /** So many proposals may be on their way to the disk. */
    private static final int PROPOSALS = 3;

    /** Of batches and their headers, and of files that grow beside the log. */
    private static final long OVERHEAD_BYTES = 32 << 10;

    /** What others may take while a record is on its way: anything if senders may write, else cursor logs only. */
    private static final long MARGIN_BYTES = 1 << 20;

    private static final long MARGIN_WITHOUT_SENDERS_BYTES = 16 << 10;

    /** Says whether so many bytes may be given to the Raft core. */
    boolean hasRoomForRecords(long bytes) {
        DirectoryInfo info = directory.get();
        long needed = PROPOSALS * bytes + OVERHEAD_BYTES;
        return info.reserveBytes() >= needed || isUsable(info, needed);
    }

    /** Says whether a snapshot of so many bytes can be written, which may not use the reserve. */
    boolean hasRoomForSnapshot(long bytes) {
        return isUsable(directory.get(), bytes);
    }

    private static boolean isUsable(DirectoryInfo info, long neededBytes) {
        long margin = info.reserveFull() ? MARGIN_BYTES : MARGIN_WITHOUT_SENDERS_BYTES;
        return info.usableBytes() < 0 || info.usableBytes() >= neededBytes + margin;
    }

    /** Says how full it is, and what to do. */
    String describe() {
        DirectoryInfo info = directory.get();
        return "no space for metadata in data directory " + info.path() + ": " + info.usableBytes()
                + " bytes are usable, and the reserve holds " + info.reserveBytes()
                + ". Nothing was changed. Free space on that disk, shorten retention, or let consumers acknowledge, and try again";
    }
}
