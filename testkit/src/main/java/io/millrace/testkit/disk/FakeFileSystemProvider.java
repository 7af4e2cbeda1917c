package io.millrace.testkit.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens, lists, renames and deletes on a {@link FakeDisk}. */
final class FakeFileSystemProvider extends FileSystemProvider {
    static final String SCHEME = "fakedisk";

    private record Place(DirectoryNode directory, String name) {
        @Nullable
        Node node() {
            return directory.entries.get(name);
        }
    }

    private static FakeDisk disk(Path path) {
        return ((FakePath) path).disk();
    }

    private static Place place(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        Path name = absolute.getFileName();
        if (parent == null || name == null) {
            throw new FileAlreadyExistsException(path.toString(), null, "the root directory");
        }
        if (!(disk(path).find(parent) instanceof DirectoryNode directory)) {
            throw new NotDirectoryException(parent.toString());
        }
        return new Place(directory, name.toString());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
        throw new IOException("create a FakeDisk instead");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new FileSystemNotFoundException("a fake disk is not found by its URI");
    }

    @Override
    public Path getPath(URI uri) {
        throw new FileSystemNotFoundException("a fake disk is not found by its URI");
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        FakeDisk disk = disk(path);
        boolean append = options.contains(StandardOpenOption.APPEND);
        boolean write = append || options.contains(StandardOpenOption.WRITE);
        boolean read = !write || options.contains(StandardOpenOption.READ);
        synchronized (disk.lock) {
            disk.requireUp();
            disk.requireRoomToOpen(path);
            Node node = disk.findOrNull(path);
            if (node instanceof DirectoryNode directory && !write) {
                return FakeFileChannel.ofDirectory(disk, directory);
            }
            if (node instanceof DirectoryNode) {
                throw new IOException(path + ": Is a directory");
            }
            boolean createNew = write && options.contains(StandardOpenOption.CREATE_NEW);
            if (node != null && createNew) {
                throw new FileAlreadyExistsException(path.toString());
            }
            if (node == null && !(createNew || (write && options.contains(StandardOpenOption.CREATE)))) {
                throw new NoSuchFileException(path.toString());
            }
            FileNode file = node == null ? create(disk, place(path)) : (FileNode) node;
            if (write && options.contains(StandardOpenOption.TRUNCATE_EXISTING) && file.size() > 0) {
                disk.change(() -> file.truncate(0));
            }
            return FakeFileChannel.ofFile(disk, file, read, write, append);
        }
    }

    private static FileNode create(FakeDisk disk, Place place) throws IOException {
        FileNode file = disk.newFile();
        disk.change(() -> {
            disk.pending(new NameChange(List.of(NameChange.now(place.directory(), place.name()))));
            place.directory().entries.put(place.name(), file);
            file.linked = true;
        });
        return file;
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path dir, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        FakeDisk disk = disk(dir);
        synchronized (disk.lock) {
            disk.requireUp();
            disk.requireRoomToOpen(dir);
            if (!(disk.find(dir) instanceof DirectoryNode directory)) {
                throw new NotDirectoryException(dir.toString());
            }
            for (String name : directory.entries.keySet()) {
                found.add(dir.resolve(name));
            }
        }
        List<Path> accepted = new ArrayList<>();
        for (Path path : found) {
            if (filter.accept(path)) {
                accepted.add(path);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return accepted.iterator();
            }

            @Override
            public void close() {
                // nothing is held
            }
        };
    }

    @Override
    public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
        FakeDisk disk = disk(dir);
        synchronized (disk.lock) {
            disk.requireUp();
            if (disk.findOrNull(dir) != null) {
                throw new FileAlreadyExistsException(dir.toString());
            }
            Place place = place(dir);
            disk.change(() -> {
                disk.pending(new NameChange(List.of(NameChange.now(place.directory(), place.name()))));
                place.directory().entries.put(place.name(), new DirectoryNode());
            });
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        FakeDisk disk = disk(path);
        synchronized (disk.lock) {
            disk.requireUp();
            Place place = place(path);
            Node node = place.node();
            if (node == null) {
                throw new NoSuchFileException(path.toString());
            }
            if (node instanceof DirectoryNode directory && !directory.entries.isEmpty()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            disk.change(() -> {
                disk.pending(new NameChange(List.of(NameChange.now(place.directory(), place.name()))));
                place.directory().entries.remove(place.name());
                if (node instanceof FileNode file) {
                    file.linked = false;
                }
            });
        }
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        if (!List.of(options).contains(StandardCopyOption.REPLACE_EXISTING) && Files.exists(target)) {
            throw new FileAlreadyExistsException(target.toString());
        }
        Files.write(target, Files.readAllBytes(source));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        FakeDisk disk = disk(source);
        List<CopyOption> chosen = List.of(options);
        boolean replace =
                chosen.contains(StandardCopyOption.REPLACE_EXISTING) || chosen.contains(StandardCopyOption.ATOMIC_MOVE);
        synchronized (disk.lock) {
            disk.requireUp();
            Place from = place(source);
            Place to = place(target);
            Node node = from.node();
            Node replaced = to.node();
            if (node == null) {
                throw new NoSuchFileException(source.toString());
            }
            if (replaced == node) {
                return;
            }
            if (replaced != null && !replace) {
                throw new FileAlreadyExistsException(target.toString());
            }
            if (replaced instanceof DirectoryNode directory && !directory.entries.isEmpty()) {
                throw new DirectoryNotEmptyException(target.toString());
            }
            disk.change(() -> {
                disk.pending(new NameChange(List.of(
                        NameChange.now(from.directory(), from.name()), NameChange.now(to.directory(), to.name()))));
                from.directory().entries.remove(from.name());
                to.directory().entries.put(to.name(), node);
                if (replaced instanceof FileNode file) {
                    file.linked = false;
                }
            });
        }
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        FakeDisk disk = disk(path);
        synchronized (disk.lock) {
            return path.equals(other) || disk.find(path) == disk.find(other);
        }
    }

    @Override
    public boolean isHidden(Path path) {
        Path name = path.getFileName();
        return name != null && name.toString().startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) {
        return new FakeFileStore(disk(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        FakeDisk disk = disk(path);
        synchronized (disk.lock) {
            disk.requireUp();
            disk.find(path);
        }
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (type != BasicFileAttributes.class) {
            throw new IOException("a fake disk has basic attributes only, not " + type.getName());
        }
        FakeDisk disk = disk(path);
        synchronized (disk.lock) {
            disk.requireUp();
            Node node = disk.find(path);
            return type.cast(new Attributes(node instanceof DirectoryNode, node instanceof FileNode f ? f.size() : 0));
        }
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        BasicFileAttributes basic = readAttributes(path, BasicFileAttributes.class, options);
        return Map.of("size", basic.size(), "isDirectory", basic.isDirectory(), "isRegularFile", basic.isRegularFile());
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        throw new IOException("a fake disk sets no attributes: " + attribute);
    }

    private record Attributes(boolean isDirectory, long size) implements BasicFileAttributes {
        private static final FileTime EPOCH = FileTime.fromMillis(0);

        @Override
        public FileTime lastModifiedTime() {
            return EPOCH;
        }

        @Override
        public FileTime lastAccessTime() {
            return EPOCH;
        }

        @Override
        public FileTime creationTime() {
            return EPOCH;
        }

        @Override
        public boolean isRegularFile() {
            return !isDirectory;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public @Nullable Object fileKey() {
            return null;
        }
    }
}
