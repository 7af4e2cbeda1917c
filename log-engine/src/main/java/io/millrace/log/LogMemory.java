package io.millrace.log;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that logs in memory share. From any thread. */
public final class LogMemory {

    private final long maxBytes;
    private final AtomicLong used = new AtomicLong();

    /** @param maxBytes that all of them may take together, 1 or more */
    public LogMemory(long maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("the memory of logs must be 1 byte or more, is " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /** Takes some, or nothing if that is not there. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= maxBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Returns how much is taken. */
    public long usedBytes() {
        return used.get();
    }

    /** Returns how much may be taken. */
    public long maxBytes() {
        return maxBytes;
    }
}
