package io.millrace.log.internal.clean;

import io.millrace.log.CleanerConfig;
import io.millrace.log.CleanerStats;
import io.millrace.log.CleanerStats.Work;
import io.millrace.log.LogClosedException;
import io.millrace.log.PartitionId;
import io.millrace.log.internal.file.RemovedFileException;
import io.millrace.wire.MillraceException;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses which log to clean next, has that done, and keeps account of it. From any thread but a shard. */
public final class Cleaner {
    private static final Logger LOG = LoggerFactory.getLogger(Cleaner.class);
    private static final long LEAST_MAP_BYTES = 64 * 1024;

    /** A log that failed is left alone for so many times the backoff. */
    private static final int FAILED_BACKOFFS = 20;

    private final Supplier<List<CleanableLog>> logs;
    private final TimeSource time;
    private final Throttle throttle;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile CleanerConfig config;

    // Guarded by the lock.
    private final Map<Path, Map<PartitionId, Long>> cleanedUpTo = new HashMap<>();
    private final Set<PartitionId> busy = new HashSet<>();
    private final Map<PartitionId, Long> failedAtNs = new HashMap<>();
    private CleanerStats stats = CleanerStats.NONE;
    private int nextConsumed;

    private record Choice(CleanableLog log, CleaningPlan plan) {}

    public Cleaner(Supplier<List<CleanableLog>> logs, CleanerConfig config, TimeSource time, Throttle throttle) {
        this.logs = logs;
        this.config = config;
        this.time = time;
        this.throttle = throttle;
    }

    /** What is cleaned next is cleaned so. */
    public void reconfigure(CleanerConfig changed) {
        config = changed;
    }

    public CleanerStats stats() {
        return locked(() -> stats);
    }

    /** Compacts the log that needs it most; if none does, takes consumed records out of one. Answers whether there was one. */
    public boolean cleanDirtiest() {
        Choice choice = locked(this::choose);
        if (choice == null) {
            return removeConsumed();
        }
        clean(choice.log().partition(), () -> {
            compact(choice);
            return true;
        });
        return true;
    }

    /** Looks at one log after the other, beginning behind the one in which there was something to do the last time. */
    private boolean removeConsumed() {
        List<CleanableLog> all = logs.get();
        int first = locked(() -> nextConsumed);
        for (int i = 0; i < all.size(); i++) {
            int index = Math.floorMod(first + i, all.size());
            CleanableLog log = all.get(index);
            boolean mine = log.dropsConsumed()
                    && !log.durableView().segments().isEmpty()
                    && locked(() -> !isLeftAlone(log.partition()) && busy.add(log.partition()));
            if (mine && clean(log.partition(), () -> removeConsumed(log))) {
                locked(() -> nextConsumed = index + 1);
                return true;
            }
        }
        return false;
    }

    private interface Cleaning {
        boolean run() throws IOException;
    }

    private boolean clean(PartitionId partition, Cleaning cleaning) {
        try {
            return cleaning.run();
        } catch (LogClosedException e) {
            LOG.debug("{} was closed while it was cleaned", partition);
        } catch (RemovedFileException e) {
            LOG.debug("{}: {} was removed while it was cleaned, and need not be", partition, e.getFile());
        } catch (MillraceException | IOException e) {
            failed(partition, e);
        } finally {
            locked(() -> busy.remove(partition));
        }
        return false;
    }

    private @Nullable Choice choose() {
        Choice best = null;
        double dirtiest = 0;
        long nowMs = time.wallClockMs();
        for (CleanableLog log : logs.get()) {
            boolean wanted = log.config().cleanup().compacts() && !busy.contains(log.partition());
            if (!wanted || isLeftAlone(log.partition())) {
                continue;
            }
            CleaningPlan plan = CleaningPlan.of(log.view(), log.config().cleanup(), cleanedUpTo(log), nowMs);
            dirtiest = Math.max(dirtiest, plan.dirtyRatio());
            boolean better = best == null
                    || (plan.overdue() && !best.plan().overdue())
                    || (plan.overdue() == best.plan().overdue()
                            && plan.dirtyRatio() > best.plan().dirtyRatio());
            if (plan.isDue(log.config().cleanup()) && better) {
                best = new Choice(log, plan);
            }
        }
        stats = stats.withMaxDirtyRatio(dirtiest);
        if (best != null) {
            busy.add(best.log().partition());
        }
        return best;
    }

    private boolean isLeftAlone(PartitionId partition) {
        Long failed = failedAtNs.get(partition);
        return failed != null
                && time.nanoTime() - failed < TimeUnit.MILLISECONDS.toNanos(FAILED_BACKOFFS * config.backoffMs());
    }

    private long cleanedUpTo(CleanableLog log) {
        return cleanedUpTo
                .computeIfAbsent(log.directory(), CleanerCheckpoint::read)
                .getOrDefault(log.partition(), -1L);
    }

    private boolean removeConsumed(CleanableLog log) throws IOException {
        long beganNs = time.nanoTime();
        Work work = new ConsumedRemoval(log, throttle).run();
        if (work.equals(Work.NONE)) {
            return false;
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - beganNs);
        LOG.atInfo()
                .addKeyValue("event", "consumed_removed")
                .addKeyValue("partition", log.partition())
                .addKeyValue("bytesBefore", work.bytesBefore())
                .addKeyValue("bytesAfter", work.bytesAfter())
                .addKeyValue("recordsBefore", work.recordsBefore())
                .addKeyValue("recordsAfter", work.recordsAfter())
                .addKeyValue("tookMs", tookMs)
                .log("Took consumed records out of a log");
        locked(() -> stats = stats.withRun(Work.NONE, work, tookMs));
        return true;
    }

    private void compact(Choice choice) throws IOException {
        long beganNs = time.nanoTime();
        CleaningPlan plan = choice.plan();
        LogCleaning.Result result =
                new LogCleaning(choice.log(), plan, new KeyOffsets(mapBytes(plan)), throttle, time.wallClockMs()).run();
        long tookMs = TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - beganNs);
        PartitionId partition = choice.log().partition();
        LOG.atInfo()
                .addKeyValue("event", "log_compacted")
                .addKeyValue("partition", partition)
                .addKeyValue("dirtyRatio", String.format(Locale.ROOT, "%.2f", plan.dirtyRatio()))
                .addKeyValue("bytesBefore", result.bytesBefore())
                .addKeyValue("bytesAfter", result.bytesAfter())
                .addKeyValue("recordsBefore", result.recordsBefore())
                .addKeyValue("recordsAfter", result.recordsAfter())
                .addKeyValue("cleanedUpTo", result.cleanedUpTo())
                .addKeyValue("whole", result.whole())
                .addKeyValue("tookMs", tookMs)
                .log("Compacted a log");
        locked(() -> {
            failedAtNs.remove(partition);
            if (!result.whole()) {
                // It changed meanwhile, or has more keys in one batch than there is memory for: not at once again.
                failedAtNs.put(partition, time.nanoTime());
            }
            stats = stats.withRun(
                    new Work(result.bytesBefore(), result.bytesAfter(), result.recordsBefore(), result.recordsAfter()),
                    Work.NONE,
                    tookMs);
            Map<PartitionId, Long> known =
                    cleanedUpTo.computeIfAbsent(choice.log().directory(), CleanerCheckpoint::read);
            known.put(partition, result.cleanedUpTo());
            return known;
        });
        writeCheckpoint(choice.log().directory());
    }

    private void writeCheckpoint(Path directory) throws IOException {
        lock.lock();
        try {
            CleanerCheckpoint.write(directory, cleanedUpTo.getOrDefault(directory, Map.of()));
        } finally {
            lock.unlock();
        }
    }

    /** As much as the keys may need, and no more than there is for each thread. */
    private int mapBytes(CleaningPlan plan) {
        long most = config.dedupeBufferBytes() / config.threads();
        return (int) Math.max(1024, Math.min(most, Math.max(LEAST_MAP_BYTES, 2 * plan.dirtyBytes())));
    }

    private void failed(PartitionId partition, Exception e) {
        locked(() -> {
            failedAtNs.put(partition, time.nanoTime());
            stats = stats.withFailure();
            return partition;
        });
        LOG.atWarn()
                .addKeyValue("event", "cleaning_failed")
                .addKeyValue("partition", partition)
                .setCause(e)
                .log("A log could not be cleaned, and is as it was; it is tried again later");
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
