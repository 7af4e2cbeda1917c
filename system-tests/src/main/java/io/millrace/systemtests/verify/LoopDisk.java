package io.millrace.systemtests.verify;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk with a file system of its own, which can lose its power: an ext4 in a file, mounted by a loop device. What was forced before
 * stays, what was only written is gone. Needs root. Used by one thread.
 */
final class LoopDisk implements AutoCloseable {
    private static final long SIZE_BYTES = 256L << 20;
    private static final int BUSY_POLLS = 500;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path mountPoint;
    private final String device;
    private boolean mounted;

    private LoopDisk(Path mountPoint, String device) {
        this.mountPoint = mountPoint;
        this.device = device;
    }

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        if (!Command.exist("losetup", "mkfs.ext4", "mount", "umount")) {
            return Optional.of("the commands losetup, mkfs.ext4, mount and umount");
        }
        return Mounts.isAllowed() && Files.isWritable(Path.of("/dev/loop-control"))
                ? Optional.empty()
                : Optional.of("root, the right to mount, and loop devices (/dev/loop-control)");
    }

    /** Makes an empty one and mounts it. */
    static LoopDisk create(Scratch scratch) throws IOException {
        Path image = scratch.resolve("disk.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(SIZE_BYTES);
        }
        Command.run("mkfs.ext4", "-q", "-F", image.toString());
        Path mountPoint = Files.createDirectory(scratch.resolve("disk"));
        String device =
                Command.run("losetup", "--find", "--show", image.toString()).strip();
        LoopDisk disk = new LoopDisk(mountPoint, device);
        try {
            disk.mount();
            return disk;
        } catch (IOException failed) {
            disk.close();
            throw failed;
        }
    }

    Path mountPoint() {
        return mountPoint;
    }

    private void mount() throws IOException {
        Command.run("mount", "-t", "ext4", device, mountPoint.toString());
        mounted = true;
    }

    /** From now on nothing reaches the disk, not even the file system's journal. */
    void cutPower() throws IOException {
        FileSystemShutdown.now(mountPoint);
    }

    /** Power is back: the file system is as its journal says. Nobody may have a file open in it. */
    void restorePower() throws IOException {
        unmount();
        mount();
    }

    private void unmount() throws IOException {
        Command.run("umount", mountPoint.toString());
        mounted = false;
        // A process that was killed takes a moment to leave; until then a new mount would show the old, dead file
        // system.
        Path inUse = Path.of("/sys/fs/ext4").resolve(Path.of(device).getFileName());
        for (int poll = 0; Files.exists(inUse); poll++) {
            if (poll == BUSY_POLLS) {
                throw new IOException(device + " is still in use");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    @Override
    public void close() throws IOException {
        if (mounted) {
            Command.run("umount", "-l", mountPoint.toString());
            mounted = false;
        }
        Command.run("losetup", "--detach", device);
    }
}
