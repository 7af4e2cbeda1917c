package io.millrace.log.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What it takes for small files and names to survive a power cut. */
public final class DurableFiles {
    /** Suffix of a file that is being written: worthless when found at start. */
    public static final String TEMPORARY_SUFFIX = ".tmp";

    private DurableFiles() {}

    /** Replaces a file's content: afterwards, also after a power cut at any moment, it is the old or the new one as a whole. */
    public static void replace(Path path, ByteBuffer content) throws IOException {
        Path temporary = path.resolveSibling(path.getFileName() + TEMPORARY_SUFFIX);
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = content.duplicate();
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        move(temporary, path);
        forceDirectory(parent(path));
    }

    /** As {@link #replace(Path, ByteBuffer)}, with text in UTF-8. */
    public static void replace(Path path, String content) throws IOException {
        replace(path, StandardCharsets.UTF_8.encode(content));
    }

    /** Renames, replacing what is there. Durable once the directories are forced. */
    public static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException(
                    "cannot rename " + from + " to " + to + " in one step; they must be on one file system", e);
        }
    }

    /** Makes the names in a directory durable: what was created, renamed or removed in it. */
    public static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** What is in a directory, sorted by name, so that every run looks at it in the same order. */
    public static List<Path> list(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        }
        entries.sort(null);
        return entries;
    }

    /** Removes a directory and everything below it. What is missing already does not matter. */
    public static void deleteTree(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            for (Path child : list(path)) {
                deleteTree(child);
            }
        }
        Files.deleteIfExists(path);
    }

    /** The content of a small text file. */
    public static String readText(Path path) throws IOException {
        return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    }

    /** The name of a path within its directory. */
    public static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? path.toString() : name.toString();
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new NoSuchFileException(path.toString(), null, "has no directory");
        }
        return parent;
    }
}
