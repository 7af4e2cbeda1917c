package io.millrace.testkit.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** An open file or directory of a {@link FakeDisk}; dead after the crash or kill that followed its opening. */
final class FakeFileChannel extends FileChannel {
    private final FakeDisk disk;
    private final Node node;
    private final boolean readable;
    private final boolean writable;
    private final boolean append;
    private final int generation;
    private long position;

    private FakeFileChannel(FakeDisk disk, Node node, boolean readable, boolean writable, boolean append) {
        this.disk = disk;
        this.node = node;
        this.readable = readable;
        this.writable = writable;
        this.append = append;
        this.generation = disk.generation();
        disk.opened(this);
    }

    static FakeFileChannel ofDirectory(FakeDisk disk, DirectoryNode directory) {
        return new FakeFileChannel(disk, directory, true, false, false);
    }

    static FakeFileChannel ofFile(FakeDisk disk, FileNode file, boolean readable, boolean writable, boolean append) {
        return new FakeFileChannel(disk, file, readable, writable, append);
    }

    private FileNode file() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        disk.requireUp();
        if (generation != disk.generation()) {
            throw new DiskCrashedException();
        }
        if (node instanceof FileNode file) {
            return file;
        }
        throw new IOException("Is a directory");
    }

    private FileNode writableFile() throws IOException {
        if (!writable) {
            throw new NonWritableChannelException();
        }
        return file();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        synchronized (disk.lock) {
            int count = read(target, position);
            position += Math.max(0, count);
            return count;
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        synchronized (disk.lock) {
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                if (!targets[i].hasRemaining()) {
                    continue;
                }
                int count = read(targets[i]);
                if (count < 0) {
                    return total == 0 ? -1 : total;
                }
                total += count;
            }
            return total;
        }
    }

    @Override
    public int read(ByteBuffer target, long from) throws IOException {
        synchronized (disk.lock) {
            FileNode file = file();
            if (!readable) {
                throw new NonReadableChannelException();
            }
            if (!target.hasRemaining()) {
                return 0;
            }
            byte[] bytes = new byte[(int) Math.min(target.remaining(), Math.max(0, file.size() - from))];
            int count = file.read(from, bytes, 0, bytes.length);
            if (count > 0) {
                disk.onRead(count);
                target.put(bytes, 0, count);
            }
            return count;
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        synchronized (disk.lock) {
            if (append) {
                position = writableFile().size();
            }
            int count = write(source, position);
            position += count;
            return count;
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        synchronized (disk.lock) {
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                int wanted = sources[i].remaining();
                int count = wanted == 0 ? 0 : write(sources[i]);
                total += count;
                if (count < wanted) {
                    break;
                }
            }
            return total;
        }
    }

    @Override
    public int write(ByteBuffer source, long to) throws IOException {
        synchronized (disk.lock) {
            FileNode file = writableFile();
            byte[] bytes = new byte[disk.writable(source.remaining())];
            disk.checkWrite(file, to + bytes.length);
            source.get(bytes);
            disk.change(() -> file.write(to, bytes));
            return bytes.length;
        }
    }

    @Override
    public long position() throws IOException {
        synchronized (disk.lock) {
            file();
            return position;
        }
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        synchronized (disk.lock) {
            file();
            position = newPosition;
            return this;
        }
    }

    @Override
    public long size() throws IOException {
        synchronized (disk.lock) {
            return file().size();
        }
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        synchronized (disk.lock) {
            FileNode file = writableFile();
            if (size < file.size()) {
                disk.change(() -> file.truncate(size));
            }
            position = Math.min(position, size);
            return this;
        }
    }

    @Override
    public void force(boolean metaData) throws IOException {
        synchronized (disk.lock) {
            if (node instanceof DirectoryNode directory) {
                disk.change(() -> disk.force(directory));
            } else {
                FileNode file = file();
                disk.change(() -> disk.force(file));
            }
        }
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(count, Math.max(0, size() - from)));
        read(buffer, from);
        return target.write(buffer.flip());
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(count, 1 << 16));
        source.read(buffer);
        buffer.flip();
        long total = 0;
        while (buffer.hasRemaining()) {
            total += write(buffer, to + total);
        }
        return total;
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) throws IOException {
        throw new IOException("a fake disk maps no files");
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) throws IOException {
        FileLock lock = tryLock(from, size, shared);
        if (lock == null) {
            throw new IOException("locked by another process, and nobody will ever unlock it");
        }
        return lock;
    }

    @Override
    public @Nullable FileLock tryLock(long from, long size, boolean shared) throws IOException {
        synchronized (disk.lock) {
            FileNode file = file();
            if (file.lockedBy != null) {
                throw new OverlappingFileLockException();
            }
            file.lockedBy = this;
            return new Lock(this, from, size, shared);
        }
    }

    @Override
    protected void implCloseChannel() {
        synchronized (disk.lock) {
            if (node instanceof FileNode file && file.lockedBy == this) {
                file.lockedBy = null;
            }
            disk.closed(this);
        }
    }

    private void unlock() {
        synchronized (disk.lock) {
            if (node instanceof FileNode file && file.lockedBy == this) {
                file.lockedBy = null;
            }
        }
    }

    private boolean holdsLock() {
        synchronized (disk.lock) {
            return node instanceof FileNode file && file.lockedBy == this;
        }
    }

    private static final class Lock extends FileLock {
        private final FakeFileChannel channel;

        Lock(FakeFileChannel channel, long from, long size, boolean shared) {
            super(channel, from, size, shared);
            this.channel = channel;
        }

        @Override
        public boolean isValid() {
            return channel.isOpen() && channel.holdsLock();
        }

        @Override
        public void release() {
            channel.unlock();
        }
    }
}
