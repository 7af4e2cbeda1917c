package io.millrace.testkit.disk;

import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** Tells how full a {@link FakeDisk} is. */
final class FakeFileStore extends FileStore {
    private final FakeDisk disk;

    FakeFileStore(FakeDisk disk) {
        this.disk = disk;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String type() {
        return "fake";
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public long getTotalSpace() {
        synchronized (disk.lock) {
            return disk.capacity();
        }
    }

    @Override
    public long getUsableSpace() {
        synchronized (disk.lock) {
            return Math.max(0, disk.capacity() - disk.usedBytes());
        }
    }

    @Override
    public long getUnallocatedSpace() {
        return getUsableSpace();
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
        return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
        return name.equals("basic");
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
        return null;
    }

    @Override
    public @Nullable Object getAttribute(String attribute) {
        return null;
    }
}
