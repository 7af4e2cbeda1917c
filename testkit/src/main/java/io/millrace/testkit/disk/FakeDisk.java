package io.millrace.testkit.disk;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that can lose power. It is reached through {@link #root()}, an ordinary {@link Path} of a file system
 * of its own, so the code under test needs no abstraction of the disk.
 *
 * <p>What is lost in a crash follows what POSIX promises, and no more:
 * <ul>
 *   <li>bytes of a file are durable once {@code FileChannel.force} returned; of later writes each 512-byte sector may be
 *       there or not, and the length may be any between the forced and the current one;
 *   <li>a created, renamed or deleted name is durable once its directory was forced; of later changes to a directory a
 *       prefix survives.
 * </ul>
 *
 * <p>All choices come from the random generator given at construction, so a run with the same seed and the same order
 * of calls is the same run. The methods may be called from any thread; one lock guards the whole disk.
 */
public final class FakeDisk {
    final Object lock = new Object();
    private final RandomGenerator random;
    private final FakeFileSystem fileSystem;
    private final DirectoryNode root = new DirectoryNode();
    private final List<NameChange> pendingChanges = new ArrayList<>();
    private final Set<FileNode> files = new LinkedHashSet<>();
    private final Set<FakeFileChannel> openChannels = new HashSet<>();

    private long operations;
    private long bytesRead;
    private long crashAtOperation = Long.MAX_VALUE;
    private boolean down;
    private int generation;
    private boolean failForces;
    private boolean failWrites;
    private boolean lieOnForce;
    private boolean shortWrites;
    private long capacityBytes = Long.MAX_VALUE;
    private int maxOpenFiles = Integer.MAX_VALUE;

    public FakeDisk(RandomGenerator random) {
        this.random = random;
        this.fileSystem = new FakeFileSystem(this);
    }

    public FileSystem fileSystem() {
        return fileSystem;
    }

    /** The root directory, "/". */
    public Path root() {
        return fileSystem.getPath("/");
    }

    // ---- faults -------------------------------------------------------------------------------------------------

    /**
     * The power goes {@code count} changing operations (write, force, truncate, create, rename, delete) from now; that
     * operation itself may or may not have happened. From then on everything fails with {@link DiskCrashedException}
     * until {@link #restart()}.
     */
    public void crashAfterOperations(long count) {
        synchronized (lock) {
            crashAtOperation = operations + count;
        }
    }

    /** No planned crash any more. */
    public void cancelPlannedCrash() {
        synchronized (lock) {
            crashAtOperation = Long.MAX_VALUE;
        }
    }

    /** Every force fails with an I/O error, and makes nothing durable. */
    public void failForces(boolean fail) {
        synchronized (lock) {
            failForces = fail;
        }
    }

    /** Every write fails with an I/O error, and changes nothing. */
    public void failWrites(boolean fail) {
        synchronized (lock) {
            failWrites = fail;
        }
    }

    /** A force returns but makes nothing durable: for tests of tests only. */
    public void lieOnForce(boolean lie) {
        synchronized (lock) {
            lieOnForce = lie;
        }
    }

    /** A write of more than one byte may take only a part of it, as the contract of a channel allows. */
    public void shortWrites(boolean enabled) {
        synchronized (lock) {
            shortWrites = enabled;
        }
    }

    /** Writes that would make the sum of all file lengths larger fail with "No space left on device". */
    public void capacityBytes(long bytes) {
        synchronized (lock) {
            capacityBytes = bytes;
        }
    }

    /** Opening a file or a directory fails with "Too many open files" while so many channels are open. */
    public void maxOpenFiles(int count) {
        synchronized (lock) {
            maxOpenFiles = count;
        }
    }

    /** Counts what is read; the lock is held. */
    void onRead(int bytes) {
        bytesRead += bytes;
    }

    /** Bytes that were read of files so far. */
    public long bytesRead() {
        synchronized (lock) {
            return bytesRead;
        }
    }

    /** Number of channels that are open now. */
    public int openFiles() {
        synchronized (lock) {
            return openChannels.size();
        }
    }

    /** To be called under the lock before anything is opened. */
    void requireRoomToOpen(Path path) throws FileSystemException {
        if (openChannels.size() >= maxOpenFiles) {
            throw new FileSystemException(path.toString(), null, "Too many open files");
        }
    }

    /** Flips the bits of {@code mask} in one byte, durably, as a decaying disk does. */
    public void corrupt(Path path, long position, int mask) throws IOException {
        synchronized (lock) {
            if (!(find(path) instanceof FileNode file) || position < 0 || position >= file.size()) {
                throw new NoSuchFileException(path.toString(), null, "no byte " + position);
            }
            file.flip(position, mask);
        }
    }

    // ---- crashes ------------------------------------------------------------------------------------------------

    /** Power cut now: what was not forced is lost, or survives in part, by chance. Needs {@link #restart()} afterwards. */
    public void crash() {
        synchronized (lock) {
            loseUnforcedNames();
            for (FileNode file : files) {
                file.loseUnforced(random);
            }
            goDown();
        }
    }

    /** The process dies, the machine does not (kill -9): channels and locks are gone, the page cache stays. */
    public void kill() {
        synchronized (lock) {
            goDown();
        }
    }

    /** The disk answers again. Channels opened earlier stay dead. */
    public void restart() {
        synchronized (lock) {
            down = false;
            crashAtOperation = Long.MAX_VALUE;
        }
    }

    public boolean isDown() {
        synchronized (lock) {
            return down;
        }
    }

    /** Changing operations so far: a crash can be planned at each of them. */
    public long operations() {
        synchronized (lock) {
            return operations;
        }
    }

    public int openChannels() {
        synchronized (lock) {
            return openChannels.size();
        }
    }

    private void goDown() {
        down = true;
        generation++;
        for (FileNode file : files) {
            file.lockedBy = null;
        }
        openChannels.clear();
    }

    private void loseUnforcedNames() {
        Set<DirectoryNode> cut = new HashSet<>();
        List<NameChange> lost = new ArrayList<>();
        for (NameChange change : pendingChanges) {
            boolean behindLost = change.directories().stream().anyMatch(cut::contains);
            if (behindLost || random.nextBoolean()) {
                cut.addAll(change.directories());
                lost.add(change);
            }
        }
        for (int i = lost.size() - 1; i >= 0; i--) {
            lost.get(i).undo();
        }
        pendingChanges.clear();
    }

    // ---- what the file system's classes call, with the lock held
    // ------------------------------------------------------

    int generation() {
        return generation;
    }

    RandomGenerator random() {
        return random;
    }

    void requireUp() throws DiskCrashedException {
        if (down) {
            throw new DiskCrashedException();
        }
    }

    /** Counts a changing operation; the planned crash happens before or after it, by chance. */
    void change(IoAction action) throws IOException {
        requireUp();
        operations++;
        if (operations < crashAtOperation) {
            action.run();
            return;
        }
        if (random.nextBoolean()) {
            action.run();
        }
        crash();
        throw new DiskCrashedException();
    }

    void checkWrite(FileNode file, long newSize) throws IOException {
        if (failWrites) {
            throw new IOException("Input/output error");
        }
        long growth = newSize - file.size();
        if (growth > 0 && usedBytes() + growth > capacityBytes) {
            throw new IOException("No space left on device");
        }
    }

    int writable(int requested) {
        return shortWrites && requested > 1 ? 1 + random.nextInt(requested) : requested;
    }

    void force(FileNode file) throws IOException {
        checkForce();
        if (!lieOnForce) {
            file.forced();
        }
    }

    void force(DirectoryNode directory) throws IOException {
        checkForce();
        if (lieOnForce) {
            return;
        }
        Set<DirectoryNode> durable = new HashSet<>(Set.of(directory));
        for (int i = pendingChanges.size() - 1; i >= 0; i--) {
            NameChange change = pendingChanges.get(i);
            if (change.directories().stream().anyMatch(durable::contains)) {
                durable.addAll(change.directories());
                pendingChanges.remove(i);
            }
        }
    }

    private void checkForce() throws IOException {
        if (failForces) {
            throw new IOException("Input/output error");
        }
    }

    void pending(NameChange change) {
        pendingChanges.add(change);
    }

    FileNode newFile() {
        FileNode file = new FileNode();
        files.add(file);
        return file;
    }

    void opened(FakeFileChannel channel) {
        openChannels.add(channel);
    }

    void closed(FakeFileChannel channel) {
        openChannels.remove(channel);
    }

    /** Sum of the lengths of all files, by which a disk that is nearly full can be made. */
    public long usedBytes() {
        synchronized (lock) {
            long used = 0;
            for (FileNode file : files) {
                used += file.linked ? file.size() : 0;
            }
            return used;
        }
    }

    long capacity() {
        return capacityBytes;
    }

    Node find(Path path) throws IOException {
        Node node = findOrNull(path);
        if (node == null) {
            throw new NoSuchFileException(path.toString());
        }
        return node;
    }

    @org.jspecify.annotations.Nullable
    Node findOrNull(Path path) {
        Node node = root;
        for (Path name : path.toAbsolutePath().normalize()) {
            if (!(node instanceof DirectoryNode directory)) {
                return null;
            }
            Node child = directory.entries.get(name.toString());
            if (child == null) {
                return null;
            }
            node = child;
        }
        return node;
    }

    /** An operation that may fail with an I/O error. */
    interface IoAction {
        void run() throws IOException;
    }
}
