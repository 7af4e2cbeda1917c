package io.millrace.testkit.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A path of a {@link FakeDisk}: names separated by '/'. */
final class FakePath implements Path {
    private final FakeFileSystem fileSystem;
    private final boolean absolute;
    private final List<String> names;

    private FakePath(FakeFileSystem fileSystem, boolean absolute, List<String> names) {
        this.fileSystem = fileSystem;
        this.absolute = absolute;
        this.names = List.copyOf(names);
    }

    static FakePath parse(FakeFileSystem fileSystem, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidPathException(text, "NUL character in path");
        }
        List<String> names = new ArrayList<>();
        for (String name : text.split("/", -1)) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        boolean absolute = text.startsWith("/");
        if (names.isEmpty() && !absolute) {
            names.add("");
        }
        return new FakePath(fileSystem, absolute, names);
    }

    private FakePath with(boolean isAbsolute, List<String> newNames) {
        return new FakePath(fileSystem, isAbsolute, newNames);
    }

    private static FakePath cast(Path path) {
        if (path instanceof FakePath fake) {
            return fake;
        }
        throw new ProviderMismatchException("not a path of a fake disk: " + path);
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    FakeDisk disk() {
        return fileSystem.disk();
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public @Nullable Path getRoot() {
        return absolute ? with(true, List.of()) : null;
    }

    @Override
    public @Nullable Path getFileName() {
        return names.isEmpty() ? null : with(false, List.of(names.get(names.size() - 1)));
    }

    @Override
    public @Nullable Path getParent() {
        if (names.isEmpty() || (names.size() == 1 && !absolute)) {
            return null;
        }
        return with(absolute, names.subList(0, names.size() - 1));
    }

    @Override
    public int getNameCount() {
        return names.size();
    }

    @Override
    public Path getName(int index) {
        return with(false, List.of(names.get(index)));
    }

    @Override
    public Path subpath(int beginIndex, int endIndex) {
        return with(false, names.subList(beginIndex, endIndex));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof FakePath that
                && that.fileSystem == fileSystem
                && that.absolute == absolute
                && that.names.size() <= names.size()
                && names.subList(0, that.names.size()).equals(that.names);
    }

    @Override
    public boolean endsWith(Path other) {
        if (!(other instanceof FakePath that) || that.fileSystem != fileSystem) {
            return false;
        }
        if (that.absolute) {
            return equals(that);
        }
        int from = names.size() - that.names.size();
        return from >= 0 && names.subList(from, names.size()).equals(that.names);
    }

    @Override
    public Path normalize() {
        List<String> result = new ArrayList<>();
        for (String name : names) {
            if (name.equals("..")
                    && !result.isEmpty()
                    && !result.get(result.size() - 1).equals("..")) {
                result.remove(result.size() - 1);
            } else if (!name.equals(".") && !(absolute && name.equals(".."))) {
                result.add(name);
            }
        }
        return with(absolute, result);
    }

    @Override
    public Path resolve(Path other) {
        FakePath that = cast(other);
        if (that.absolute || names.equals(List.of(""))) {
            return that;
        }
        if (that.names.equals(List.of(""))) {
            return this;
        }
        List<String> joined = new ArrayList<>(names);
        joined.addAll(that.names);
        return with(absolute, joined);
    }

    @Override
    public Path relativize(Path other) {
        FakePath that = cast(other);
        int common = 0;
        while (common < names.size()
                && common < that.names.size()
                && names.get(common).equals(that.names.get(common))) {
            common++;
        }
        List<String> result = new ArrayList<>();
        for (int i = common; i < names.size(); i++) {
            result.add("..");
        }
        result.addAll(that.names.subList(common, that.names.size()));
        return with(false, result.isEmpty() ? List.of("") : result);
    }

    @Override
    public URI toUri() {
        return URI.create(FakeFileSystemProvider.SCHEME + "://" + toAbsolutePath());
    }

    @Override
    public Path toAbsolutePath() {
        return absolute ? this : with(true, names.equals(List.of("")) ? List.of() : names);
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        Path real = toAbsolutePath().normalize();
        synchronized (disk().lock) {
            if (disk().findOrNull(real) == null) {
                throw new NoSuchFileException(toString());
            }
        }
        return real;
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        throw new IOException("a fake disk watches nothing");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FakePath that
                && that.fileSystem == fileSystem
                && that.absolute == absolute
                && that.names.equals(names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(absolute, names);
    }

    @Override
    public String toString() {
        return (absolute ? "/" : "") + String.join("/", names);
    }
}
