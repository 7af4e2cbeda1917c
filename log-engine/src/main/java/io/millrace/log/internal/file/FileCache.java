package io.millrace.log.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds how many files are open. Thousands of partitions have tens of thousands of files, of which few are in use at a time; one that was
 * not used for long is closed when another is to be opened, and opened again by whoever uses it next.
 *
 * <p>"For long" is judged by the second-chance rule, so that using an open file costs two counters and no lock. Files with unsynced writes
 * are pinned: an error of their write-back must meet the channel that wrote, or nobody would hear of it. Thus the bound may be exceeded
 * while more files than that are unsynced.
 */
public final class FileCache {
    private final int maxOpen;
    private final ReentrantLock lock = new ReentrantLock();

    /** Open files, those to look at first in front. Guarded by the lock. */
    private final Deque<LogFile> open = new ArrayDeque<>();

    /**
     * @param maxOpen most open files, at least 1
     */
    public FileCache(int maxOpen) {
        if (maxOpen < 1) {
            throw new IllegalArgumentException("maxOpen must be at least 1, is " + maxOpen);
        }
        this.maxOpen = maxOpen;
    }

    /** Number of files that are open now. */
    public int openCount() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Opens a file unless another thread just did, and returns its channel with a use begun. */
    Handle open(LogFile file) throws IOException {
        lock.lock();
        try {
            Handle handle = file.handle();
            if (handle != null && handle.acquire()) {
                return handle;
            }
            makeRoom();
            FileChannel channel = openChannel(file);
            Handle opened = new Handle(channel);
            opened.acquire();
            if (handle == null || !open.contains(file)) {
                open.addLast(file);
            }
            file.handle(opened);
            return opened;
        } finally {
            lock.unlock();
        }
    }

    /** When the process has too many files open, one of ours that nobody needs at the moment makes room. */
    private FileChannel openChannel(LogFile file) throws IOException {
        while (true) {
            try {
                return file.openChannel();
            } catch (IOException e) {
                if (!OpenFiles.areTooMany(e) || !closeOne()) {
                    throw e;
                }
            }
        }
    }

    private boolean closeOne() throws IOException {
        for (LogFile candidate : open) {
            if (!candidate.isPinned()) {
                open.remove(candidate);
                retire(candidate);
                return true;
            }
        }
        return false;
    }

    /** Renames a file. Nobody opens it meanwhile. */
    void move(LogFile file, Path target) throws IOException {
        lock.lock();
        try {
            DurableFiles.move(file.path(), target);
            file.path(target);
        } finally {
            lock.unlock();
        }
    }

    /** Closes a file's channel, once nobody uses it any more. */
    void close(LogFile file) throws IOException {
        lock.lock();
        try {
            retire(file);
            open.remove(file);
        } finally {
            lock.unlock();
        }
    }

    /** Closes all files. */
    public void closeAll() throws IOException {
        lock.lock();
        try {
            for (LogFile file = open.pollFirst(); file != null; file = open.pollFirst()) {
                retire(file);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a channel that somebody's interrupt closed out of service. */
    void discard(LogFile file, Handle handle) throws IOException {
        lock.lock();
        try {
            if (file.handle() == handle) {
                file.handle(null);
                open.remove(file);
            }
            handle.retire();
        } finally {
            lock.unlock();
        }
    }

    private void makeRoom() throws IOException {
        // Twice round: the first time takes away second chances.
        for (int looks = 2 * open.size(); looks > 0 && open.size() >= maxOpen; looks--) {
            LogFile candidate = open.removeFirst();
            Handle handle = candidate.handle();
            if (handle == null) {
                continue;
            }
            if (handle.used || candidate.isPinned()) {
                handle.used = false;
                open.addLast(candidate);
            } else {
                retire(candidate);
            }
        }
    }

    private static void retire(LogFile file) throws IOException {
        Handle handle = file.handle();
        if (handle != null) {
            file.handle(null);
            handle.retire();
        }
    }
}
