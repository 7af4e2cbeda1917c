package io.millrace.systemtests.verify;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A small disk in memory (tmpfs), to be filled. Needs root. Used by one thread. */
final class TemporaryDisk implements AutoCloseable {
    private static final String FOREIGN = "foreign-file";
    private static final int CHUNK_BYTES = 64 << 10;

    private final Path mountPoint;

    private TemporaryDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        return Command.exist("mount", "umount") && Mounts.isAllowed()
                ? Optional.empty()
                : Optional.of("root, and the right to mount");
    }

    static TemporaryDisk create(Scratch scratch, int sizeMiB) throws IOException {
        Path mountPoint = Files.createDirectory(scratch.resolve("disk"));
        Command.run("mount", "-t", "tmpfs", "-o", "size=" + sizeMiB + "m", "tmpfs", mountPoint.toString());
        return new TemporaryDisk(mountPoint);
    }

    Path mountPoint() {
        return mountPoint;
    }

    long usableBytes() throws IOException {
        return Files.getFileStore(mountPoint).getUsableSpace();
    }

    /** Somebody else takes all the space that is left, to the last byte. */
    void fill() throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (OutputStream file = Files.newOutputStream(mountPoint.resolve(FOREIGN))) {
            while (usableBytes() > 0) {
                file.write(chunk, 0, (int) Math.min(CHUNK_BYTES, usableBytes()));
            }
        } catch (IOException full) {
            if (usableBytes() > CHUNK_BYTES) {
                throw full;
            }
        }
    }

    /** And gives it back. */
    void free() throws IOException {
        Files.deleteIfExists(mountPoint.resolve(FOREIGN));
    }

    @Override
    public void close() throws IOException {
        Command.run("umount", "-l", mountPoint.toString());
    }
}
