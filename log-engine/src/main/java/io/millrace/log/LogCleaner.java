package io.millrace.log;

import io.millrace.log.internal.clean.CleanableLog;
import io.millrace.log.internal.clean.Cleaner;
import io.millrace.log.internal.clean.CleanerThreads;
import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Compacts the logs of a storage that have {@code cleanup.policy=compact}: of each key the last record stays. The dirtiest log is first. To be
 * closed before the storage is, and before the shards of its logs stop. And takes records out of queues that were consumed, where
 * {@link PartitionLog#removeConsumed} was said.
 *
 * <p>Offsets never change, order neither; the active segment is never touched, nor what is younger than {@code min.compaction.lag.ms}, above the
 * last stable offset, or not durable.
 */
public final class LogCleaner implements AutoCloseable {
    private final Cleaner cleaner;
    private final CleanerThreads threads;

    /** Makes a cleaner that does nothing yet; {@link LogStorage#cleaner} is how to get one. */
    LogCleaner(Supplier<List<CleanableLog>> logs, CleanerConfig config, TimeSource time) {
        this.threads = new CleanerThreads(config, time);
        this.cleaner = new Cleaner(logs, config, time, threads);
    }

    /** Has threads look for work from now on, unless compaction is switched off. */
    public void start(ThreadFactory factory) {
        threads.start(factory, cleaner::cleanDirtiest);
    }

    /**
     * Compacts the log that needs it most, or takes consumed records out of one, on the calling thread, which must not be a shard: it waits for
     * the log's.
     *
     * @return whether there was one
     */
    public boolean cleanDirtiest() {
        return cleaner.cleanDirtiest();
    }

    /** Changes threads, speed, memory and rests while it runs; whether it compacts at all stays as it was at the start. From any thread. */
    public void reconfigure(CleanerConfig config) {
        cleaner.reconfigure(config);
        threads.reconfigure(config);
    }

    /** What it has done so far. From any thread. */
    public CleanerStats stats() {
        return cleaner.stats();
    }

    /** Ends what goes on, and waits for the threads. */
    @Override
    public void close() {
        threads.close();
    }
}
