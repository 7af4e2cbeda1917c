package io.millrace.coordinator.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The three steps by which a whole file appears at once and stays: write and force it beside its place, rename it, force the directory. */
final class DurableFile {

    private DurableFile() {}

    /** Replaces {@code path}: after a crash at any moment it is the old or the new file as a whole. */
    static void replace(Path path, ByteBuffer content) throws IOException {
        Path beside = path.resolveSibling(path.getFileName() + ".tmp");
        try (FileChannel channel = create(beside)) {
            writeFully(channel, content);
            channel.force(true);
        }
        publish(beside, path);
    }

    static FileChannel create(Path path) throws IOException {
        return FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    static void writeFully(FileChannel channel, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            channel.write(content);
        }
    }

    static void writeFully(FileChannel channel, ByteBuffer content, long position) throws IOException {
        for (long at = position; content.hasRemaining(); ) {
            at += channel.write(content, at);
        }
    }

    /** Gives a file that was written and forced its name, durably. */
    static void publish(Path beside, Path path) throws IOException {
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            forceDirectory(directory);
        }
    }

    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
