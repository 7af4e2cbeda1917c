package io.millrace.log.internal.disk;

import io.millrace.log.internal.sync.Syncer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a log storage: one for each directory's syncer, and a few that help all of them to force files at the same time. Without a
 * factory there are none: forces are run by whoever wants them, and rounds by hand. Started and ended by one thread.
 */
final class StorageThreads {
    private static final int HELPERS = 4;

    private final Optional<ThreadFactory> factory;
    private final @Nullable ThreadPoolExecutor helpers;
    private final List<Thread> syncers = new ArrayList<>();

    StorageThreads(Optional<ThreadFactory> factory) {
        this.factory = factory;
        this.helpers = factory.map(StorageThreads::helpers).orElse(null);
    }

    private static ThreadPoolExecutor helpers(ThreadFactory factory) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(HELPERS, HELPERS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Runs work that may be done in the background; empty if there is no thread for that. */
    Optional<Executor> background() {
        return Optional.ofNullable(helpers);
    }

    /** Runs forces, on other threads if there are any. */
    Executor forcing() {
        return background().orElse(Runnable::run);
    }

    /** Has each syncer run until it is closed, if there are threads. */
    void start(List<Syncer> all) {
        factory.ifPresent(made -> {
            all.forEach(syncer -> syncers.add(made.newThread(syncer::runUntilClosed)));
            syncers.forEach(Thread::start);
        });
    }

    /** Waits until the syncers, which were closed, have ended. */
    void joinSyncers() {
        syncers.forEach(StorageThreads::join);
    }

    /** Ends the helpers, after what they still have to do. */
    void endHelpers() {
        if (helpers != null) {
            helpers.close();
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
