package io.millrace.log.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An open channel with the number of its users: closed when the cache has let it go and the last user is done. */
final class Handle {
    final FileChannel channel;
    private final AtomicInteger users = new AtomicInteger(1);

    /** Whether it was used since the cache last looked for something to close. */
    volatile boolean used = true;

    private final AtomicBoolean retired = new AtomicBoolean();

    Handle(FileChannel channel) {
        this.channel = channel;
    }

    /** Begins a use. Answers false if the channel is closed or about to be. */
    boolean acquire() {
        while (true) {
            int count = users.get();
            if (count == 0) {
                return false;
            }
            if (users.compareAndSet(count, count + 1)) {
                if (!used) {
                    used = true;
                }
                return true;
            }
        }
    }

    void release() throws IOException {
        if (users.decrementAndGet() == 0) {
            channel.close();
        }
    }

    /** Gives up the cache's own use. Only the first caller does so. */
    void retire() throws IOException {
        if (retired.compareAndSet(false, true)) {
            release();
        }
    }
}
