package io.millrace.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whole batches of a log as a stretch of a file, to be sent without a copy in this process ({@code sendfile}). The file stays open, and the
 * stretch what it is, until the slice is closed: also when its segment is removed or rewritten meanwhile. Only a cut of the log may shorten
 * the file, and that never takes what lies below a high watermark.
 *
 * <p>The channel is shared with all other users of the file: it must not be closed, its position not be used, and no thread that uses it be
 * interrupted, which would close it for everybody. Closing a slice again does nothing. From any thread.
 */
public final class FileSlice implements AutoCloseable {
    private final FileChannel channel;
    private final Closeable release;
    private final long position;
    private final int lengthBytes;
    private final long firstOffset;
    private final long nextOffset;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Describes a stretch of a file.
     *
     * @param channel open until {@code release}
     * @param release gives the channel back
     * @param position where the first batch begins
     * @param lengthBytes bytes of all batches, at least one
     * @param firstOffset base offset of the first batch, which may be below the offset that was asked for
     * @param nextOffset offset after the last batch
     */
    public FileSlice(
            FileChannel channel, Closeable release, long position, int lengthBytes, long firstOffset, long nextOffset) {
        if (position < 0 || lengthBytes <= 0 || firstOffset < 0 || nextOffset <= firstOffset) {
            throw new IllegalArgumentException("no slice: offsets " + firstOffset + " to " + nextOffset + ", "
                    + lengthBytes + " bytes at " + position);
        }
        this.channel = channel;
        this.release = release;
        this.position = position;
        this.lengthBytes = lengthBytes;
        this.firstOffset = firstOffset;
        this.nextOffset = nextOffset;
    }

    public FileChannel channel() {
        return channel;
    }

    /** Where in the file the first batch begins. */
    public long position() {
        return position;
    }

    public int lengthBytes() {
        return lengthBytes;
    }

    /** Base offset of the first batch, which may be below the offset that was asked for. */
    public long firstOffset() {
        return firstOffset;
    }

    /** Where to read on: the offset after the last batch. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Gives the file back. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                release.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing a file that was read failed", e);
            }
        }
    }

    @Override
    public String toString() {
        return "offsets " + firstOffset + ".." + (nextOffset - 1) + ", " + lengthBytes + " bytes at " + position;
    }
}
