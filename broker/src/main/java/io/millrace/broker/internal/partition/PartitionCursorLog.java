package io.millrace.broker.internal.partition;

import io.millrace.log.LogConfig;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.SyncListener;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cursor log of a partition, which may not exist yet: it is created for the first who needs one, while he and others wait. Answers wait
 * here too, for the turn's changes to be in it or below its high watermark; without a log there is nothing to wait for. On the shard.
 */
final class PartitionCursorLog {

    /** What operators read says that it is of the partition. */
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    private final PartitionId partition;
    private final PartitionSettings settings;
    private final CursorLogFactory factory;
    private final PartitionEdge edge;
    private final SyncListener syncListener;
    private final WaitingForCursorLog waiting = new WaitingForCursorLog();
    /** Answers that leave when the turn's changes are in the log. */
    private final List<PendingAnswer<?>> afterAppend = new ArrayList<>();
    /** The same, but below the log's high watermark. */
    private final List<PendingAnswer<?>> afterReplication = new ArrayList<>();
    /** The same, for those who do not ask for a sync. */
    private final List<PendingAnswer<?>> afterSomeSync = new ArrayList<>();

    private @Nullable CursorLog log;
    private boolean creating;
    /** Settings that were changed since the log was opened, or before it was created. */
    private Optional<LogConfig> changedConfig = Optional.empty();

    /**
     * Takes over what there is.
     *
     * @param opened the log, if there is one yet
     * @param factory makes it
     * @param syncListener hears of the syncs of one that is made
     */
    PartitionCursorLog(
            PartitionId partition,
            PartitionSettings settings,
            Optional<PartitionLog> opened,
            CursorLogFactory factory,
            PartitionEdge edge,
            SyncListener syncListener) {
        this.partition = partition;
        this.settings = settings;
        this.factory = factory;
        this.edge = edge;
        this.syncListener = syncListener;
        this.log = opened.map(this::leading).orElse(null);
    }

    private CursorLog leading(PartitionLog opened) {
        return new CursorLog(opened, settings.leaderEpoch(), settings.imageEveryBytes());
    }

    /** The log, if there is one yet. */
    Optional<CursorLog> current() {
        return Optional.ofNullable(log);
    }

    /** The end of the log; 0 if there is none. */
    long endOffset() {
        return log == null ? 0 : log.endOffset();
    }

    /** Whether everything below an offset counts. */
    boolean isReplicatedTo(long offset) {
        return log == null || log.highWatermark() >= offset;
    }

    /**
     * Does what needs the log: at once, or when it was created.
     *
     * @param session with which the work is dropped, if it is a consumer's opening
     * @param reply takes the failure if there will be no log
     */
    void whenThere(Optional<UUID> session, Reply<?> reply, Runnable work) {
        if (log != null) {
            edge.guard(work);
        } else if (waiting.add(session, work, reply) && !creating) {
            creating = true;
            factory.create(
                    syncListener,
                    created -> edge.guard(() -> onCreated(created)),
                    failure -> edge.guard(() -> onFailed(failure.getMessage())));
        }
    }

    /** Returns whether work waits for the log. */
    boolean isBeingCreated() {
        return creating;
    }

    private void onCreated(PartitionLog created) {
        creating = false;
        created.beginEpoch(settings.leaderEpoch());
        changedConfig.ifPresent(created::reconfigure);
        log = leading(created);
        waiting.proceed();
    }

    private void onFailed(@Nullable String why) {
        creating = false;
        LOG.error("Cannot create the cursor log of {}: {}", partition, why);
        waiting.failAll(ErrorCode.STORAGE_UNAVAILABLE, "the cursor log of " + partition + " cannot be created: " + why);
    }

    /** A session left: what it waits for here is dropped. */
    void drop(UUID session) {
        waiting.drop(session);
    }

    /** Goes by other settings from now on, or from its creation. */
    void reconfigure(LogConfig config) {
        changedConfig = Optional.of(config);
        if (log != null) {
            log.reconfigure(config);
        }
    }

    /** Has an answer leave when the turn's changes are in the log. */
    <T> void answerWhenWritten(Reply<T> reply, T answer) {
        afterAppend.add(new PendingAnswer<>(reply, answer));
    }

    /** Has an answer leave when the turn's changes are below the log's high watermark. */
    <T> void answerWhenReplicated(Reply<T> reply, T answer) {
        afterReplication.add(new PendingAnswer<>(reply, answer));
    }

    /** The same for those who wait until others, or {@link #syncIfBehind}, have the log synced. */
    <T> void answerWhenReplicatedUnhurried(Reply<T> reply, T answer) {
        afterSomeSync.add(new PendingAnswer<>(reply, answer));
    }

    /** Asks for a sync of what is in the log before an offset, unless that is synced. */
    void syncIfBehind(long endOffset) {
        if (log != null && log.highWatermark() < endOffset) {
            log.requestSync();
        }
    }

    /** Returns whether something is not synced. */
    boolean isBehind() {
        return log != null && log.highWatermark() < log.endOffset();
    }

    /** Whether an answer of this turn waits for the log to be synced. */
    boolean isSyncAwaited() {
        return !afterReplication.isEmpty();
    }

    /** The turn's changes are in the log: its deliveries have left, and so do the answers. */
    void giveAnswers() {
        // All are taken before any is given: whoever is answered may do more at once, which is not in the log yet.
        List<PendingAnswer<?>> written = taken(afterAppend);
        List<PendingAnswer<?>> hurried = taken(afterReplication);
        List<PendingAnswer<?>> unhurried = taken(afterSomeSync);
        written.forEach(PendingAnswer::give);
        awaitSync(hurried, true);
        awaitSync(unhurried, false);
    }

    /** The changes are in the log that the answers so far speak of. */
    void awaitSync() {
        List<PendingAnswer<?>> hurried = taken(afterReplication);
        List<PendingAnswer<?>> unhurried = taken(afterSomeSync);
        awaitSync(hurried, true);
        awaitSync(unhurried, false);
    }

    private static List<PendingAnswer<?>> taken(List<PendingAnswer<?>> answers) {
        List<PendingAnswer<?>> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    private void awaitSync(List<PendingAnswer<?>> answers, boolean hurried) {
        if (log == null) {
            answers.forEach(PendingAnswer::give);
        } else {
            log.whenReplicated(answers, hurried);
        }
    }

    /** Nothing of what waits here will come. */
    void failAll(ErrorCode code, String why) {
        waiting.failAll(code, why);
        afterAppend.forEach(answer -> answer.fail(code, why));
        afterAppend.clear();
        afterReplication.forEach(answer -> answer.fail(code, why));
        afterReplication.clear();
        afterSomeSync.forEach(answer -> answer.fail(code, why));
        afterSomeSync.clear();
        if (log != null) {
            log.failWaiting(code, why);
        }
    }

    /** Syncs and closes the log, if there is one. */
    void close() {
        if (log != null) {
            log.close();
        }
    }
}
