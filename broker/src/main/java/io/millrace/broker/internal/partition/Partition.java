package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.TurnEnd;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorOutcome;
import io.millrace.coordinator.cursor.CursorSummary;
import io.millrace.coordinator.cursor.LeaderStart;
import io.millrace.coordinator.cursor.LeaderTerm;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.LogOffsets;
import io.millrace.log.LogSlice;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One partition as its leader has it: a data log, beside it a cursor log, and in memory the cursors, consumers and waiting sends.
 *
 * <p>What arrives in a turn of the shard changes memory and the page cache. When the turn ends ({@link #onTurnEnd}), consumers are dealt
 * what they may have, all changes of cursors go to the cursor log as one batch, and only then deliveries and answers leave. A waiting
 * send is answered, and a record dispatched, only below the <em>high watermark</em>: the synced offset with {@code flush=ack}, the end of
 * the log with {@code flush=os}.
 *
 * <p>States: leading until {@link #close}, {@link #delete}, or the first fault; then offline for good. A partition whose log failed
 * answers {@link ErrorCode#STORAGE_UNAVAILABLE} until the broker is restarted, since what it has in memory may be ahead of its disk.
 *
 * <p>Everything runs on the shard, except what says "from any thread".
 */
public final class Partition implements TurnEnd {

    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    /** Bytes of deliveries per cursor and turn. */
    private static final int DISPATCH_BYTES = 256 * 1024;

    private final PartitionSettings settings;
    private final Shard shard;
    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final CursorLogFactory cursorLogs;
    private final PartitionMetrics metrics;
    private final PartitionConsumers consumers;
    private final WaitingSends waitingSends = new WaitingSends();
    private final LogAppender appender;
    private final PartitionRetention retention;
    /** Answers that leave when the turn's changes are in the cursor log. */
    private final List<PendingAnswer<?>> afterAppend = new ArrayList<>();
    /** The same, but below the cursor log's high watermark. */
    private final List<PendingAnswer<?>> afterReplication = new ArrayList<>();

    private final WaitingForCursorLog waitingForCursorLog = new WaitingForCursorLog();

    private @Nullable CursorLog cursorLog;
    private boolean creatingCursorLog;
    /** Settings of the cursor log that were changed since it was opened, or before it was created. */
    private Optional<LogConfig> cursorLogConfig = Optional.empty();

    private boolean dirty;
    private boolean syncWanted;
    private Optional<Offline> offline = Optional.empty();
    private volatile PartitionSnapshot published;

    private record Offline(ErrorCode code, String why) {}

    /**
     * Takes over logs that were opened, with cursors that were replayed. {@link #start} comes next.
     *
     * @param cursorLog the cursor log, if there is one yet
     * @param metrics counts what happens here
     * @param io runs reads that may wait for the disk
     */
    public Partition(
            PartitionSettings settings,
            Shard shard,
            PartitionLog data,
            Optional<PartitionLog> cursorLog,
            PartitionCursors cursors,
            CursorLogFactory cursorLogs,
            PartitionMetrics metrics,
            Executor io) {
        this.settings = settings;
        this.shard = shard;
        this.data = data;
        this.cursors = cursors;
        this.cursorLogs = cursorLogs;
        this.metrics = metrics;
        this.cursorLog = cursorLog
                .map(log -> new CursorLog(log, settings.leaderEpoch(), settings.imageEveryBytes()))
                .orElse(null);
        ColdReads coldReads = new ColdReads(data, settings.coldReadBytes(), io, shard, this::fail);
        this.consumers = new PartitionConsumers(
                cursors, data, coldReads, settings.leaderEpoch(), shard, this::markDirty, metrics);
        this.appender = new LogAppender(data, settings.leaderEpoch());
        this.published = new PartitionSnapshot(settings.leaderEpoch(), 0, true);
        this.retention = new PartitionRetention(
                settings.deleteConsumed(), settings.consumedRetentionMs(), data, cursors, shard.time());
        metrics.probe(new LoadProbe());
    }

    // ---- what it is; from any thread ------------------------------------------------------------------------------

    public PartitionId id() {
        return data.partition();
    }

    public UUID logId() {
        return settings.logId();
    }

    public DestinationKind kind() {
        return settings.kind();
    }

    public Shard shard() {
        return shard;
    }

    /** Returns what is known of the partition without asking its shard. */
    public PartitionSnapshot snapshot() {
        return published;
    }

    /** Returns where the data log stands. */
    public LogOffsets offsets() {
        return data.offsets();
    }

    /** Returns the term in which acquisitions of this partition are valid, for a leader epoch that a client names. */
    public LeaderTerm term(int leaderEpoch) {
        return new LeaderTerm(leaderEpoch, settings.brokerEpoch());
    }

    /** Reads whole batches up to the high watermark. */
    public LogSlice read(long offset, int maxBytes) {
        return data.read(offset, maxBytes, published.highWatermark());
    }

    // ---- life -----------------------------------------------------------------------------------------------------

    /**
     * Begins to lead.
     *
     * @param start whether the traces of all deliveries are known to be there
     */
    public void start(LeaderStart start) {
        guard(() -> {
            data.beginEpoch(settings.leaderEpoch());
            CursorLog log = cursorLog;
            cursors.lead(term(settings.leaderEpoch()), start, log == null ? 0 : log.endOffset());
            // Without effect unless the data log lost records that cursors know about, as in a crash.
            cursors.truncate(data.logEndOffset());
            endCursorTurn();
            if (log != null) {
                log.requestSync();
                cursors.onCursorLogHighWatermark(log.highWatermark());
            }
            data.requestSync();
            advanceHighWatermark();
        });
    }

    /**
     * Goes by other settings from now on.
     *
     * @param consumedRetentionMs how long consumed records of a queue stay
     */
    public void reconfigure(LogConfig dataConfig, LogConfig cursorConfig, long consumedRetentionMs) {
        guard(() -> {
            data.reconfigure(dataConfig);
            retention.consumedRetentionMs(consumedRetentionMs);
            cursorLogConfig = Optional.of(cursorConfig);
            if (cursorLog != null) {
                cursorLog.reconfigure(cursorConfig);
            }
            // Whoever waits by the old rule for records to count: by the new one they may do so at once, or need a
            // sync.
            syncWanted = true;
            markDirty();
        });
    }

    /** Syncs and closes both logs. Whatever still waits is told that the broker is shutting down. */
    public void close() {
        goOffline(ErrorCode.SHUTTING_DOWN, "the broker is shutting down");
        if (cursorLog != null) {
            cursorLog.close();
        }
        data.close();
    }

    /** Removes the partition with all that it holds. */
    public void delete() {
        goOffline(ErrorCode.DESTINATION_NOT_FOUND, "the destination was deleted");
        if (cursorLog != null) {
            cursorLog.close();
        }
        data.delete();
    }

    private void goOffline(ErrorCode code, String why) {
        if (offline.isPresent()) {
            return;
        }
        offline = Optional.of(new Offline(code, why));
        published = new PartitionSnapshot(settings.leaderEpoch(), published.highWatermark(), false);
        boolean fault = code == ErrorCode.STORAGE_UNAVAILABLE;
        waitingSends.failAll(fault ? ErrorCode.INDETERMINATE : code, why);
        consumers.closeAll(code, why);
        waitingForCursorLog.failAll(code, why);
        afterAppend.forEach(answer -> answer.fail(code, why));
        afterAppend.clear();
        afterReplication.forEach(answer -> answer.fail(code, why));
        afterReplication.clear();
        if (cursorLog != null) {
            cursorLog.failWaiting(code, why);
        }
    }

    private void fail(Throwable fault) {
        if (offline.isEmpty()) {
            boolean bug = !(fault instanceof StorageException);
            LoggingEventBuilder line = LOG.atError()
                    .addKeyValue("event", "partition_offline")
                    .addKeyValue("partition", id())
                    .addKeyValue("cause", String.valueOf(fault.getMessage()));
            (bug ? line.setCause(fault) : line)
                    .log(bug ? "Partition is offline, by a bug in the broker" : "Partition is offline");
            goOffline(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    "partition " + id() + " is offline until the broker is restarted: " + fault.getMessage());
        }
    }

    /** The edge of the partition: what goes wrong inside takes this partition offline and no other. */
    private void guard(Runnable work) {
        if (offline.isPresent()) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException | Error fault) {
            fail(fault);
        }
    }

    private boolean refuse(Reply<?> reply) {
        offline.ifPresent(present -> reply.onFailed(present.code, present.why));
        return offline.isPresent();
    }

    // ---- sends ----------------------------------------------------------------------------------------------------

    /**
     * Appends a batch of a client.
     *
     * @param batch one whole batch; belongs to the partition until this returns
     * @param leaderEpoch the epoch that the client knows
     * @param wait whether the answer waits for the high watermark
     */
    public void append(ByteBuffer batch, int leaderEpoch, boolean wait, SendReply reply) {
        if (offline.isPresent()) {
            reply.onFailed(offline.get().code, offline.get().why);
            return;
        }
        guard(() -> {
            Optional<LogAppender.Written> written = appender.append(batch, leaderEpoch, reply);
            written.ifPresent(w -> {
                shard.wroteBytes(w.bytes());
                if (w.bytes() > 0) {
                    metrics.onAppended(w.endOffset() - w.baseOffset(), w.bytes());
                }
                if (!wait || w.endOffset() <= published.highWatermark()) {
                    reply.onStored(w.baseOffset());
                } else {
                    syncWanted = true;
                    waitingSends.add(w.baseOffset(), w.endOffset(), reply);
                }
                markDirty();
            });
        });
    }

    private void advanceHighWatermark() {
        if (!cursors.isLeading()) {
            // A log that was opened with an unsynced tail is synced at once, maybe before start(), which looks itself.
            return;
        }
        boolean os = data.config().flush() == FlushPolicy.OS;
        long highWatermark = os ? data.logEndOffset() : data.syncedOffset();
        if (highWatermark > published.highWatermark()) {
            published = new PartitionSnapshot(settings.leaderEpoch(), highWatermark, true);
            cursors.onHighWatermark(highWatermark);
            waitingSends.onHighWatermark(highWatermark);
            markDirty();
        }
    }

    /** Hears of syncs of the data log; for whoever opens it. */
    public SyncListener dataSyncListener() {
        return new SyncListener() {
            @Override
            public void onSynced(long syncedOffset) {
                guard(Partition.this::advanceHighWatermark);
            }

            @Override
            public void onSyncFailed(StorageException failure) {
                guard(() -> fail(failure));
            }
        };
    }

    /** Hears of syncs of the cursor log; for whoever opens it. */
    public SyncListener cursorSyncListener() {
        return new SyncListener() {
            @Override
            public void onSynced(long syncedOffset) {
                guard(Partition.this::onCursorLogSynced);
            }

            @Override
            public void onSyncFailed(StorageException failure) {
                guard(() -> fail(failure));
            }
        };
    }

    private void onCursorLogSynced() {
        CursorLog log = cursorLog;
        if (log != null && cursors.isLeading()) {
            cursors.onCursorLogHighWatermark(log.highWatermark());
            log.onHighWatermark();
            retention.removeConsumedNowAndThen();
            markDirty();
        }
    }

    // ---- cursors --------------------------------------------------------------------------------------------------

    /** Creates a cursor that survives, at the end of the log or where it is already. Answered once it is durable. */
    public void createCursor(CursorId id, Reply<Long> reply) {
        if (refuse(reply)) {
            return;
        }
        withCursorLog(Optional.empty(), reply, () -> {
            Cursor cursor = cursors.create(id, data.logEndOffset());
            long offset = cursor.earliestNeededOffset();
            afterReplication.add(new PendingAnswer<>(reply, offset));
            markDirty();
        });
    }

    /** Creates a cursor in memory, at the end of the log; if it exists, it stays as it is. */
    public void createMemoryCursor(CursorId id, Reply<Long> reply) {
        if (refuse(reply)) {
            return;
        }
        guard(() -> {
            Cursor cursor = cursors.cursor(id).orElseGet(() -> cursors.createNonDurable(id, data.logEndOffset()));
            reply.onDone(cursor.earliestNeededOffset());
        });
    }

    /** Deletes a cursor; its consumers are told. Without effect if there is none. */
    public void deleteCursor(CursorId id, ErrorCode code, String why) {
        guard(() -> {
            consumers.delete(id, code, why);
            markDirty();
        });
    }

    /**
     * Removes the messages of a cursor that are there now and with nobody, or counts them. Answered once the removal is below the cursor
     * log's high watermark.
     */
    public void purge(CursorId id, boolean dryRun, Reply<Purged> reply) {
        if (refuse(reply)) {
            return;
        }
        Optional<Cursor> known = cursors.cursor(id);
        if (known.isPresent() && dryRun) {
            Cursor cursor = known.get();
            reply.onDone(new Purged(cursor.depth() - cursor.acquired(), cursor.acquired(), cursor.consumers()));
        } else if (known.isPresent()) {
            purgeOn(new Purge(known.get(), published.highWatermark()), reply);
        } else if (!id.equals(CursorId.QUEUE)) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + id() + " has no cursor " + id);
        } else if (dryRun) {
            reply.onDone(new Purged(published.highWatermark() - data.logStartOffset(), 0, 0));
        } else {
            withCursorLog(Optional.empty(), reply, () -> {
                Cursor created = cursors.create(id, 0);
                created.dropBelow(data.logStartOffset());
                purgeOn(new Purge(created, published.highWatermark()), reply);
            });
        }
    }

    /** Each part in a turn of its own, so that the shard serves others in between. */
    private void purgeOn(Purge purge, Reply<Purged> reply) {
        if (refuse(reply)) {
            return;
        }
        if (!cursors.cursor(purge.cursor().id()).equals(Optional.of(purge.cursor()))) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted meanwhile");
            return;
        }
        guard(() -> {
            metrics.onPurged(purge.step());
            markDirty();
            if (purge.isDone()) {
                afterReplication.add(new PendingAnswer<>(reply, purge.result()));
            } else {
                shard.execute(() -> purgeOn(purge, reply));
            }
        });
    }

    /** Returns the ids of the cursors that survive. */
    public List<CursorId> durableCursors() {
        return cursors.cursors().stream()
                .filter(Cursor::isDurable)
                .map(Cursor::id)
                .toList();
    }

    private void withCursorLog(Optional<UUID> session, Reply<?> reply, Runnable work) {
        if (cursorLog != null) {
            guard(work);
        } else if (waitingForCursorLog.add(session, work, reply) && !creatingCursorLog) {
            creatingCursorLog = true;
            cursorLogs.create(
                    cursorSyncListener(),
                    log -> guard(() -> onCursorLogCreated(log)),
                    failure -> guard(() -> onCursorLogFailed(failure.getMessage())));
        }
    }

    private void onCursorLogCreated(PartitionLog log) {
        creatingCursorLog = false;
        log.beginEpoch(settings.leaderEpoch());
        cursorLogConfig.ifPresent(log::reconfigure);
        cursorLog = new CursorLog(log, settings.leaderEpoch(), settings.imageEveryBytes());
        waitingForCursorLog.proceed();
    }

    private void onCursorLogFailed(@Nullable String why) {
        creatingCursorLog = false;
        LOG.error("Cannot create the cursor log of {}: {}", id(), why);
        waitingForCursorLog.failAll(
                ErrorCode.STORAGE_UNAVAILABLE, "the cursor log of " + id() + " cannot be created: " + why);
    }

    // ---- consumers ------------------------------------------------------------------------------------------------

    /** Opens a consumer, or attaches it again. Answered with the first offset that its cursor has not dealt with. */
    public void openConsumer(ConsumerRequest request, DeliverySink sink, Reply<Long> reply) {
        if (refuse(reply)) {
            return;
        }
        if (request.start() instanceof CursorStart.OfQueue) {
            withCursorLog(Optional.of(request.key().sessionId()), reply, () -> open(request, sink, reply));
        } else {
            guard(() -> open(request, sink, reply));
        }
    }

    private void open(ConsumerRequest request, DeliverySink sink, Reply<Long> reply) {
        consumers
                .open(request, sink)
                .ifPresentOrElse(
                        reply::onDone,
                        () -> reply.onFailed(
                                ErrorCode.SUBSCRIPTION_NOT_FOUND,
                                "partition " + id() + " has no cursor " + request.cursor()));
    }

    /** Closes a consumer. Answered with whether its session still holds records of it. */
    public void closeConsumer(ConsumerKey key, Reply<Boolean> reply) {
        if (refuse(reply)) {
            return;
        }
        guard(() -> reply.onDone(consumers.close(key)));
    }

    /** Returns whether a session still holds records that a consumer was lent from a cursor. */
    public boolean holdsRecords(CursorId cursor, ConsumerKey key) {
        return offline.isEmpty()
                && cursors.cursor(cursor)
                        .map(known -> known.acquiredBy(key) > 0)
                        .orElse(false);
    }

    public void addCredit(ConsumerKey key, int messages, int bytes) {
        guard(() -> consumers.addCredit(key, messages, bytes));
    }

    /**
     * Answered once everything that is there now has been sent, as far as the consumer's credit goes; the answer is whether there is
     * more.
     */
    public void pull(ConsumerKey key, Reply<Boolean> reply) {
        if (refuse(reply)) {
            return;
        }
        guard(() -> {
            long dataEnd = data.logEndOffset();
            CursorLog log = cursorLog;
            long cursorEnd = log == null ? 0 : log.endOffset();
            if (published.highWatermark() < dataEnd) {
                syncWanted = true;
            }
            boolean known = consumers.pull(
                    key,
                    () -> published.highWatermark() >= dataEnd && (log == null || log.highWatermark() >= cursorEnd),
                    reply);
            if (!known) {
                reply.onFailed(ErrorCode.UNKNOWN_CONSUMER, "consumer " + key.consumer() + " is not open on " + id());
            }
        });
    }

    /**
     * Acknowledges records. Answered with what was refused.
     *
     * @param durable whether the answer waits until the acknowledgement is below the cursor log's high watermark
     */
    public void acknowledge(List<AcknowledgedRecords> records, boolean durable, Reply<List<List<OffsetRange>>> reply) {
        if (refuse(reply)) {
            return;
        }
        guard(() -> {
            List<List<OffsetRange>> refused =
                    records.stream().map(consumers::acknowledge).toList();
            (durable ? afterReplication : afterAppend).add(new PendingAnswer<>(reply, refused));
            markDirty();
        });
    }

    /** Gives records back. Answered when that is in the cursor log. */
    public void release(CursorId cursor, ConsumerKey key, List<ReleasedRecords> released, Reply<Boolean> reply) {
        if (refuse(reply)) {
            return;
        }
        guard(() -> {
            consumers.release(cursor, key, released);
            afterAppend.add(new PendingAnswer<>(reply, true));
            markDirty();
        });
    }

    /** The connection of a session is lost. */
    public void onSessionDetached(UUID session) {
        guard(() -> {
            waitingForCursorLog.drop(session);
            consumers.onSessionDetached(session);
        });
    }

    /** A session has ended: what it holds goes back, counted. */
    public void onSessionGone(UUID session) {
        guard(() -> {
            waitingForCursorLog.drop(session);
            consumers.onSessionGone(session);
        });
    }

    // ---- turns ----------------------------------------------------------------------------------------------------

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            shard.atTurnEnd(this);
        }
    }

    @Override
    public void onTurnEnd() {
        dirty = false;
        metrics.onChanged();
        guard(() -> {
            if (data.config().flush() == FlushPolicy.OS) {
                advanceHighWatermark();
            } else if (syncWanted) {
                data.requestSync();
            }
            syncWanted = false;
            boolean more = consumers.dispatch(published.highWatermark(), DISPATCH_BYTES);
            endCursorTurn();
            consumers.sendDeliveries(!more);
            giveAnswers();
            if (more) {
                markDirty();
            }
        });
    }

    private void endCursorTurn() {
        CursorOutcome outcome = cursors.endTurn();
        if (outcome.records().isEmpty()) {
            return;
        }
        CursorLog log = cursorLog;
        if (log == null) {
            throw new IllegalStateException("partition " + id() + " changed durable cursors without a cursor log");
        }
        long nowMs = shard.time().wallClockMs();
        cursors.onAppended(log.append(outcome.records(), nowMs));
        if (log.wantsImage()) {
            cursors.onAppended(log.appendImage(cursors.image(), nowMs));
            log.requestSync();
        } else if (outcome.syncSoon()) {
            log.requestSync();
        }
        if (log.highWatermark() >= log.endOffset()) {
            onCursorLogSynced();
        }
    }

    private void giveAnswers() {
        afterAppend.forEach(PendingAnswer::give);
        afterAppend.clear();
        CursorLog log = cursorLog;
        if (log == null) {
            afterReplication.forEach(PendingAnswer::give);
        } else {
            log.whenReplicated(afterReplication);
        }
        afterReplication.clear();
    }

    /** Removes what is over its retention and what nobody needs any more. */
    public void retain() {
        guard(() -> {
            if (retention.retain()) {
                markDirty();
            }
        });
    }

    // ---- for people -----------------------------------------------------------------------------------------------

    /** Returns the cursors as they are now. */
    public List<CursorSummary> cursorSummaries() {
        return cursors.cursors().stream().map(Cursor::summary).toList();
    }

    /** Returns how many files hold the data; from any thread. */
    public int segmentCount() {
        return data.segments().size();
    }

    /** A send that arrived then, by the shard's clock, is answered. */
    public void onSendAnswered(long arrivedNs) {
        metrics.shard().sendNs().record(shard.time().nanoTime() - arrivedNs);
    }

    /** What the partition holds, for the metrics; asked for from any thread, measured on the shard. */
    private final class LoadProbe implements PartitionMetrics.Probe {

        @Override
        public void measure() {
            shard.execute(() -> guard(
                    () -> metrics.publish(consumers.load(published.highWatermark(), kind() == DestinationKind.QUEUE))));
        }

        @Override
        public OptionalLong timestampMsAt(long offset) {
            try {
                return data.batchTimestampAt(Math.max(offset, data.logStartOffset()));
            } catch (MillraceException unreadable) {
                return OptionalLong.empty();
            }
        }

        @Override
        public long sizeBytes() {
            return data.sizeBytes();
        }
    }

    @Override
    public String toString() {
        return id().toString();
    }
}
