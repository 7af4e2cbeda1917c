package io.millrace.log.internal.directory;

import io.millrace.log.internal.file.DiskSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Space that a directory holds back, as a file full of zeros. When the disk is full otherwise, what must go on (acknowledgements, markers,
 * metadata, and the removal that they permit) gets it piece by piece; senders are refused until it is whole again. The last part is not
 * for all of these: without the metadata, and what a directory notes about itself, nothing else could go on.
 *
 * <p>From any thread.
 */
public final class Reserve {
    static final String FILE_NAME = "reserve";

    private static final int CHUNK_BYTES = 1 << 20;

    /** Pieces of the last part are small, so that little of them can be taken by others. */
    private static final int LAST_PIECE_BYTES = 64 << 10;

    private static final int LAST_BYTES = 1 << 20;

    /** Who needs space. */
    public enum User {
        /** Cursor logs and markers: all but the last part is for them. */
        LOG,
        /** The metadata log, and what the directory writes about itself: may have everything. */
        METADATA
    }

    /** What the few small files of a start take. */
    private static final int ROOM_BYTES = 64 << 10;

    private final Path file;
    private final long wantedBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long heldBytes;
    private volatile long releases;

    private Reserve(Path directory, long wantedBytes) {
        this.file = directory.resolve(FILE_NAME);
        this.wantedBytes = wantedBytes;
    }

    /** Before anything else is written at a start: a disk that is full to the last byte gets what the reserve is for. */
    static void makeRoom(Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        long usable = DiskSpace.usableBytes(directory);
        if (usable >= 0 && usable < ROOM_BYTES && Files.exists(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(Math.max(0, channel.size() - CHUNK_BYTES));
            }
        }
    }

    /** Opens a directory's reserve, and fills it as far as there is space. */
    public static Reserve open(Path directory, long wantedBytes) throws IOException {
        Reserve reserve = new Reserve(directory, wantedBytes);
        try (FileChannel channel = reserve.openFile()) {
            reserve.heldBytes = Math.min(channel.size(), wantedBytes);
            channel.truncate(reserve.heldBytes);
        }
        reserve.refill();
        return reserve;
    }

    private FileChannel openFile() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Whether all of it is there, that is, whether senders may write. */
    public boolean isWhole() {
        return heldBytes == wantedBytes;
    }

    public long heldBytes() {
        return heldBytes;
    }

    /** How often something was given up: read before a write, so that its failure can be told from one of before. */
    public long releases() {
        return releases;
    }

    /**
     * Gives up at least so many bytes, or what is left, for a write that found the disk full. If somebody else was given some since that
     * write began, it is tried with that first: of several who find the disk full at the same time, one may get all there is.
     *
     * @param seen {@link #releases()} before the write
     * @return false if nothing was left for this user: there is no use in another try
     */
    public boolean release(long neededBytes, long seen, User user) throws IOException {
        lock.lock();
        try {
            if (releases != seen) {
                return true;
            }
            long last = Math.min(LAST_BYTES, wantedBytes / 4);
            long floor = user == User.METADATA ? 0 : last;
            if (heldBytes <= floor) {
                return false;
            }
            boolean isLast = heldBytes <= last;
            long pieceBytes = isLast ? LAST_PIECE_BYTES : CHUNK_BYTES;
            long pieces = Math.max(1, (neededBytes + pieceBytes - 1) / pieceBytes);
            long rest = Math.max(isLast ? floor : last, heldBytes - pieces * pieceBytes);
            try (FileChannel channel = openFile()) {
                channel.truncate(rest);
            }
            heldBytes = rest;
            releases = seen + 1;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what is missing, if there is space for it. */
    public void refill() throws IOException {
        lock.lock();
        try {
            long usable = DiskSpace.usableBytes(file);
            if (heldBytes == wantedBytes || (usable >= 0 && usable < wantedBytes - heldBytes + ROOM_BYTES)) {
                return;
            }
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, wantedBytes));
            try (FileChannel channel = openFile()) {
                long size = heldBytes;
                while (size < wantedBytes) {
                    zeros.clear().limit((int) Math.min(zeros.capacity(), wantedBytes - size));
                    size += channel.write(zeros, size);
                }
                channel.force(true);
                heldBytes = size;
            }
        } catch (IOException e) {
            if (!DiskSpace.isFull(e, file, wantedBytes)) {
                throw e;
            }
            // Not now: nothing is counted as held that was not written as a whole.
            try (FileChannel channel = openFile()) {
                channel.truncate(heldBytes);
            }
        } finally {
            lock.unlock();
        }
    }
}
