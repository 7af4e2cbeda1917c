package io.millrace.log.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * One file of a log. It is open only while it is used, or by the grace of the {@link FileCache}. All access is by position, so threads do
 * not disturb each other; who may write where is for the callers to agree.
 *
 * <p>Java closes a channel when a thread that uses it is interrupted. Here that is repaired: the operation is done again on a new channel,
 * and the interrupt is set again when it is done.
 */
public final class LogFile {
    private final FileCache cache;
    private volatile Path path;
    private volatile @Nullable Handle handle;
    private volatile boolean pinned;
    private volatile boolean deleted;

    public LogFile(FileCache cache, Path path) {
        this.cache = cache;
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Creates the file, empty. */
    public void create() throws IOException {
        FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                .close();
    }

    public boolean exists() {
        return !deleted && Files.exists(path);
    }

    /** Keeps the file open until {@link #unpin}, because it has writes that are not synced. */
    public void pin() {
        if (!pinned) {
            pinned = true;
        }
    }

    public void unpin() {
        pinned = false;
    }

    public boolean isPinned() {
        return pinned;
    }

    @Nullable
    Handle handle() {
        return handle;
    }

    void handle(@Nullable Handle newHandle) {
        handle = newHandle;
    }

    FileChannel openChannel() throws IOException {
        if (deleted) {
            throw new RemovedFileException(path);
        }
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private Handle acquire() throws IOException {
        Handle current = handle;
        return current != null && current.acquire() ? current : cache.open(this);
    }

    /**
     * Reads at a position until the target is full or the file ends.
     *
     * @return number of bytes read, 0 or more
     */
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        run(channel -> {
            while (target.hasRemaining()) {
                if (channel.read(target, position + target.position() - start) < 0) {
                    return;
                }
            }
        });
        return target.position() - start;
    }

    /** Writes everything between the source's position and limit at a position. The source's position is moved, unless this fails. */
    public void write(ByteBuffer source, long position) throws IOException {
        int start = source.position();
        boolean done = false;
        try {
            run(channel -> {
                while (source.hasRemaining()) {
                    channel.write(source, position + source.position() - start);
                }
            });
            done = true;
        } finally {
            if (!done) {
                source.position(start);
            }
        }
    }

    /** An open channel that nobody closes, until the caller does: also when the file is removed or replaced meanwhile. */
    public Held hold() throws IOException {
        return new Held(acquire());
    }

    /** A file that is held open. */
    public static final class Held implements Closeable {
        private final Handle handle;

        private Held(Handle handle) {
            this.handle = handle;
        }

        /** Shared with other users: not to be closed. */
        public FileChannel channel() {
            return handle.channel;
        }

        @Override
        public void close() throws IOException {
            handle.release();
        }
    }

    public long sizeBytes() throws IOException {
        long[] size = new long[1];
        run(channel -> size[0] = channel.size());
        return size[0];
    }

    /** Cuts the file; one that is shorter stays as it is. */
    public void truncate(long sizeBytes) throws IOException {
        run(channel -> channel.truncate(sizeBytes));
    }

    /** Makes what was written durable. For a file that was removed meanwhile, there is nothing to do. */
    public void force() throws IOException {
        try {
            run(channel -> channel.force(false));
        } catch (NoSuchFileException e) {
            if (!deleted) {
                throw e;
            }
        }
    }

    /** Gives the file another name, replacing what has that. Those who use it meanwhile go on. Durable once the directory is forced. */
    public void moveTo(Path target) throws IOException {
        cache.move(this, target);
    }

    void path(Path newPath) {
        path = newPath;
    }

    /** Gives up the channel; the next use opens the file again. */
    public void close() throws IOException {
        pinned = false;
        cache.close(this);
    }

    /** Removes the file, if it is there. Uses that have begun end as if it still were. */
    public void delete() throws IOException {
        deleted = true;
        close();
        Files.deleteIfExists(path);
    }

    private void run(Operation operation) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                Handle used = acquire();
                try {
                    operation.on(used.channel);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    Thread.interrupted();
                    cache.discard(this, used);
                } catch (ClosedChannelException e) {
                    // Another thread was interrupted while it used the same channel.
                    cache.discard(this, used);
                } finally {
                    used.release();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Operation {
        void on(FileChannel channel) throws IOException;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
