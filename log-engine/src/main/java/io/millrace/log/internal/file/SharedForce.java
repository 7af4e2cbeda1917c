package io.millrace.log.internal.file;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A force that several threads want at about the same time, such as that of a directory in which each of them has made a name: all who come
 * while one is running share the next. From any thread.
 */
public final class SharedForce {
    /** The call that makes everything durable that was written before it began. */
    public interface Force {
        void run() throws IOException;
    }

    private final Force force;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    // Guarded by the lock: runs are counted from 1.
    private long begun;
    private long done;
    private long failed;
    private @Nullable IOException failure;

    public SharedForce(Force force) {
        this.force = force;
    }

    /** Returns when a run that began after this call has ended. */
    public void run() throws IOException {
        lock.lock();
        try {
            // One that is running may have begun before what the caller wrote.
            long needed = begun + 1;
            while (done < needed) {
                if (begun > done) {
                    ended.awaitUninterruptibly();
                } else {
                    runOnce();
                }
            }
            IOException why = failure;
            if (why != null && failed >= needed) {
                throw new IOException(String.valueOf(why.getMessage()), why);
            }
        } finally {
            lock.unlock();
        }
    }

    private void runOnce() {
        long number = ++begun;
        IOException why = null;
        lock.unlock();
        try {
            force.run();
        } catch (IOException e) {
            why = e;
        } finally {
            lock.lock();
            if (why != null) {
                failed = number;
                failure = why;
            }
            done = number;
            ended.signalAll();
        }
    }
}
