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
import io.millrace.log.ActiveProducer;
import io.millrace.log.EpochEnd;
import io.millrace.log.FileSlice;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Reply<Long> NOBODY = new Reply<>() {
        @Override
        public void onDone(Long offset) {}

        @Override
        public void onFailed(ErrorCode code, String why) {}
    };

    /** Bytes of deliveries in a turn; what others of the shard have to do comes between. */
    private static final int DISPATCH_BYTES = 64 * 1024;

    private final PartitionSettings settings;
    private final Shard shard;
    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final PartitionMetrics metrics;
    private final PartitionConsumers consumers;
    private final WaitingSends waitingSends = new WaitingSends();
    private final LogAppender appender;
    private final PartitionRetention retention;
    private final ConsumedByAll consumed;
    private final PartitionEdge edge;
    private final ColdReads coldReads;
    private final PartitionCursorLog cursorLog;
    private final ProgressWatchers watchers = new ProgressWatchers();
    private final ProgressWatchers shareWatchers = new ProgressWatchers();
    private final ShareConsumers shares;

    private boolean dirty;
    private boolean syncWanted;
    private long lostBelow;
    private volatile PartitionSnapshot published;

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
        this.metrics = metrics;
        this.edge = new PartitionEdge(data.partition(), this::onOffline);
        this.cursorLog = new PartitionCursorLog(
                data.partition(), settings, cursorLog, cursorLogs, edge, syncListener(this::onCursorLogSynced));
        this.coldReads = new ColdReads(data, settings.coldReadBytes(), io, shard, edge::fail);
        this.consumers = new PartitionConsumers(
                cursors, data, coldReads, settings.leaderEpoch(), shard, this::markDirty, metrics);
        this.shares = new ShareConsumers(cursors, data, coldReads, shard, edge, this.cursorLog, this::markDirty);
        this.appender = new LogAppender(data, settings.leaderEpoch());
        this.published = new PartitionSnapshot(settings.leaderEpoch(), 0, true);
        this.retention = new PartitionRetention(
                settings.deleteConsumed(), settings.consumedRetentionMs(), data, cursors, metrics, shard.time());
        this.consumed = new ConsumedByAll(
                settings.consumedRetentionMs(), data, cursors, this.cursorLog, edge, this::markDirty, shard.time());
        if (settings.deleteConsumed()) {
            data.removeConsumed(consumed);
        }
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

    /** Returns the size of the largest batch that may be appended now. */
    public int maxBatchBytes() {
        return data.config().maxBatchBytes();
    }

    /** Returns the term in which acquisitions of this partition are valid, for a leader epoch that a client names. */
    public LeaderTerm term(int leaderEpoch) {
        return new LeaderTerm(leaderEpoch, settings.brokerEpoch());
    }

    /** Reads whole batches up to the high watermark. */
    public LogSlice read(long offset, int maxBytes) {
        return data.read(offset, maxBytes, published.highWatermark());
    }

    /** Has somebody told, on the shard, whenever more can be read or nothing can be read any more, until it is {@linkplain #unwatch removed}. */
    public void watch(Runnable onProgress) {
        watchers.add(onProgress);
    }

    /** Ends what {@link #watch} began. */
    public void unwatch(Runnable onProgress) {
        watchers.remove(onProgress);
    }

    /**
     * Where a cursor stands.
     *
     * @param startOffset everything below is acknowledged
     * @param acknowledgedBehind records at or behind it that are acknowledged too
     */
    public record CursorPlace(long startOffset, long acknowledgedBehind) {}

    /** Tells where a cursor stands; fails if there is none. On the shard. */
    public void placeOf(CursorId id, Reply<CursorPlace> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        Optional<Cursor> cursor = cursors.cursor(id);
        if (cursor.isEmpty()) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + id() + " has no cursor " + id);
            return;
        }
        long start = cursor.get().earliestNeededOffset();
        long open = published.highWatermark() - start - cursor.get().depth();
        reply.onDone(new CursorPlace(start, Math.max(0, open)));
    }

    /**
     * Sets a cursor to an offset: what lies below is done, all else is to be delivered. Answered once that is durable. On the shard.
     *
     * @param offset any; it is brought into the range of what is there
     */
    public void moveCursor(CursorId id, long offset, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            Optional<Cursor> cursor = cursors.cursor(id);
            if (cursor.isEmpty()) {
                reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + id() + " has no cursor " + id);
                return;
            }
            long start = data.logStartOffset();
            cursor.get().moveTo(Math.clamp(offset, start, Math.max(start, published.highWatermark())));
            cursorLog.answerWhenReplicated(reply, true);
            markDirty();
        });
    }

    /** Returns how many wait for more to read, members of share groups included. */
    public int waitingReaders() {
        return watchers.count() + shareWatchers.count();
    }

    /** Has somebody told, on the shard, when members of share groups should look again for records, until {@link #unwatchShares}. */
    public void watchShares(Runnable onProgress) {
        shareWatchers.add(onProgress);
    }

    /** Ends what {@link #watchShares} began. */
    public void unwatchShares(Runnable onProgress) {
        shareWatchers.remove(onProgress);
    }

    /** Returns the share groups that consume here; on the shard. */
    public ShareConsumers shares() {
        return shares;
    }

    /** Returns the epoch of this leader. */
    public int leaderEpoch() {
        return settings.leaderEpoch();
    }

    /**
     * Finds whole batches in a file, up to an offset, without reading them; see {@link PartitionLog#slice}.
     *
     * @param endOffset at most the high watermark
     */
    public Optional<FileSlice> slice(long offset, int maxBytes, long endOffset) {
        return data.slice(offset, maxBytes, Math.min(endOffset, published.highWatermark()));
    }

    /** Reads whole batches up to an offset, which is at most the high watermark. */
    public LogSlice read(long offset, int maxBytes, long endOffset) {
        return data.read(offset, maxBytes, Math.min(endOffset, published.highWatermark()));
    }

    /** Returns whether reading at an offset may have to wait for the disk. */
    public boolean isCold(long offset) {
        return coldReads.isCold(offset);
    }

    /** Returns the data log as its readers see it: only what may be done from any thread may be done with it. */
    public PartitionLog log() {
        return data;
    }

    // ---- life -----------------------------------------------------------------------------------------------------

    /**
     * Begins to lead.
     *
     * @param start whether the traces of all deliveries are known to be there
     */
    public void start(LeaderStart start) {
        edge.guard(() -> {
            checkEnd();
            data.beginEpoch(settings.leaderEpoch());
            cursors.lead(term(settings.leaderEpoch()), start, cursorLog.endOffset());
            // Without effect unless the data log lost records that cursors know about, as in a crash.
            cursors.truncate(data.logEndOffset());
            if (cursors.isIncomplete()) {
                onIncompleteCursors();
            }
            endCursorTurn();
            cursorLog.current().ifPresent(log -> {
                log.requestSync();
                cursors.onCursorLogHighWatermark(log.highWatermark());
            });
            data.requestSync();
            advanceHighWatermark();
        });
    }

    /**
     * Nothing is delivered before it is synced. So if cursors know of deliveries behind the end of the data log, it has lost what its disk
     * said that it had: all that can be done is to say so.
     */
    private void checkEnd() {
        lostBelow = data.config().flush() == FlushPolicy.ACK && cursors.seenEnd() > data.logEndOffset()
                ? cursors.seenEnd()
                : 0;
        if (lostBelow > 0) {
            LOG.atError()
                    .addKeyValue("event", "synced_records_lost")
                    .addKeyValue("partition", id())
                    .addKeyValue("end", data.logEndOffset())
                    .addKeyValue("delivered", lostBelow)
                    .log(
                            "Messages are lost that were synced and delivered: the log ends before them. Either its disk does not do"
                                    + " what a force asks for (see `verify lie` in docs/log-format.md), or its files are older than those of"
                                    + " its cursors; restore it from a backup if there is one. Nothing is wrong if log.flush was os before");
        }
    }

    /** Returns up to which offset records are known to be lost that were synced, or 0. On the shard, or before it runs. */
    public long lostBelow() {
        return lostBelow;
    }

    /** The operator accepted that records of the cursor log are lost: what may have been delivered says so, and an image replaces the log. */
    private void onIncompleteCursors() {
        LOG.atWarn()
                .addKeyValue("event", "cursor_log_incomplete")
                .addKeyValue("partition", id())
                .addKeyValue("restored", cursors.restored())
                .log("Records of the cursor log are lost: messages that were acknowledged may come again, marked as"
                        + " redelivered; cursors whose creation is lost begin at the start of the log");
        cursors.suspectDeliveriesBelow(data.logEndOffset());
        cursorLog.current().ifPresent(CursorLog::wantImage);
    }

    /**
     * Goes by other settings from now on.
     *
     * @param consumedRetentionMs how long consumed records of a queue stay
     */
    public void reconfigure(LogConfig dataConfig, LogConfig cursorConfig, long consumedRetentionMs) {
        edge.guard(() -> {
            data.reconfigure(dataConfig);
            retention.consumedRetentionMs(consumedRetentionMs);
            consumed.consumedRetentionMs(consumedRetentionMs);
            cursorLog.reconfigure(cursorConfig);
            // Whoever waits by the old rule for records to count: by the new one they may do so at once, or need a
            // sync.
            syncWanted = true;
            markDirty();
        });
    }

    /** Syncs and closes both logs. Whatever still waits is told that the broker is shutting down. */
    public void close() {
        edge.goOffline(ErrorCode.SHUTTING_DOWN, "the broker is shutting down");
        cursorLog.close();
        data.close();
    }

    /** Removes the partition with all that it holds. */
    public void delete() {
        edge.goOffline(ErrorCode.DESTINATION_NOT_FOUND, "the destination was deleted");
        cursorLog.close();
        data.delete();
    }

    private void onOffline(ErrorCode code, String why) {
        published = new PartitionSnapshot(settings.leaderEpoch(), published.highWatermark(), false);
        boolean fault = code == ErrorCode.STORAGE_UNAVAILABLE;
        waitingSends.failAll(fault ? ErrorCode.INDETERMINATE : code, why);
        consumers.closeAll(code, why);
        shares.closeAll(code, why);
        cursorLog.failAll(code, why);
        cursors.end();
        watchers.tell();
        shareWatchers.tell();
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
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> stored(appender.append(batch, leaderEpoch, reply), wait, reply));
    }

    /**
     * Appends a batch of a Kafka client, which may come without a producer id and names no leader epoch.
     *
     * @param batch one whole batch; belongs to the partition until this returns
     * @param wait whether the answer waits for the high watermark
     */
    public void produce(ByteBuffer batch, boolean wait, SendReply reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> stored(appender.produce(batch, reply), wait, reply));
    }

    private void stored(Optional<LogAppender.Written> written, boolean wait, SendReply reply) {
        written.ifPresent(w -> {
            shard.wroteBytes(w.bytes());
            if (w.bytes() > 0) {
                metrics.onAppended(w.endOffset() - w.baseOffset(), w.bytes());
            }
            if (!wait || w.endOffset() <= published.highWatermark()) {
                reply.onStored(w.baseOffset(), w.logAppendTimeMs());
            } else {
                syncWanted = true;
                waitingSends.add(w.baseOffset(), w.endOffset(), w.logAppendTimeMs(), reply);
            }
            markDirty();
        });
    }

    /**
     * Appends a batch that the broker itself wrote, such as a decision about a group. It may use the disk's reserve. Answered when it is
     * written, with the offset after it; whether it is below the high watermark, {@link #watch} tells.
     *
     * @param batch one whole batch; belongs to the partition until the answer, which fills in its offset and epoch
     */
    public void appendOwn(ByteBuffer batch, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> appender.appendOwn(batch, reply).ifPresent(w -> {
            shard.wroteBytes(w.bytes());
            metrics.onAppended(w.endOffset() - w.baseOffset(), w.bytes());
            syncWanted = true;
            markDirty();
            reply.onDone(w.endOffset());
        }));
        // Whatever went wrong inside is answered here.
        edge.refuse(reply);
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
            watchers.tell();
            markDirty();
        }
    }

    /** Hears of syncs of the data log; for whoever opens it. */
    public SyncListener dataSyncListener() {
        return syncListener(this::advanceHighWatermark);
    }

    /** Hears of syncs of the cursor log; for whoever opens it. */
    public SyncListener cursorSyncListener() {
        return syncListener(this::onCursorLogSynced);
    }

    private SyncListener syncListener(Runnable onSynced) {
        return new SyncListener() {
            @Override
            public void onSynced(long syncedOffset) {
                edge.guard(onSynced);
            }

            @Override
            public void onSyncFailed(StorageException failure) {
                edge.fail(failure);
            }
        };
    }

    private void onCursorLogSynced() {
        CursorLog log = cursorLog.current().orElse(null);
        if (log != null && cursors.isLeading()) {
            cursors.onCursorLogHighWatermark(log.highWatermark());
            log.onHighWatermark();
            retention.removeConsumedNowAndThen();
            markDirty();
        }
    }

    // ---- cursors --------------------------------------------------------------------------------------------------

    /**
     * Creates a cursor that survives. Answered once it is durable.
     *
     * @param fromStart whether it begins at the start of the log, else at its end; one that is there already stays where it is
     */
    public void createCursor(CursorId id, boolean fromStart, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        cursorLog.whenThere(Optional.empty(), reply, () -> {
            Cursor cursor = cursors.create(id, fromStart ? data.logStartOffset() : data.logEndOffset());
            long offset = cursor.earliestNeededOffset();
            cursorLog.answerWhenReplicated(reply, offset);
            markDirty();
        });
    }

    /**
     * Creates a cursor that should be here and is not, since the cursor log has lost it: at the start of the log, so that no message is
     * lost too. Without effect if it is there.
     */
    public void restoreCursor(CursorId id) {
        if (edge.isOffline() || cursors.cursor(id).isPresent()) {
            return;
        }
        LOG.atWarn()
                .addKeyValue("event", "cursor_restored")
                .addKeyValue("partition", id())
                .addKeyValue("cursor", id)
                .log("The cursor of a subscription is not in the cursor log: it begins anew at the start of the log");
        cursorLog.whenThere(Optional.empty(), NOBODY, () -> {
            cursors.create(id, data.logStartOffset());
            cursors.suspectDeliveriesBelow(data.logEndOffset());
            markDirty();
        });
    }

    /** Creates the durable cursor of a subscription that is older than this partition: it begins where the log does. */
    public void beginCursor(CursorId id) {
        if (edge.isOffline()) {
            return;
        }
        cursorLog.whenThere(Optional.empty(), NOBODY, () -> {
            if (cursors.cursor(id).isEmpty()) {
                cursors.create(id, data.logStartOffset());
                markDirty();
            }
        });
    }

    /**
     * Creates a cursor in memory; if it exists, it stays as it is.
     *
     * @param fromStart where a new one begins: at the start of the log, else at its end
     */
    public void createMemoryCursor(CursorId id, boolean fromStart, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            long start = fromStart ? data.logStartOffset() : data.logEndOffset();
            Cursor cursor = cursors.cursor(id).orElseGet(() -> cursors.createNonDurable(id, start));
            reply.onDone(cursor.earliestNeededOffset());
        });
    }

    /** Deletes a cursor; its consumers are told. Without effect if there is none. */
    public void deleteCursor(CursorId id, ErrorCode code, String why) {
        edge.guard(() -> {
            consumers.delete(id, code, why);
            markDirty();
        });
    }

    /**
     * Removes the messages of a cursor that are there now and with nobody, or counts them. Answered once the removal is below the cursor
     * log's high watermark.
     */
    public void purge(CursorId id, boolean dryRun, Reply<Purged> reply) {
        if (edge.refuse(reply)) {
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
            cursorLog.whenThere(Optional.empty(), reply, () -> {
                Cursor created = cursors.create(id, 0);
                created.dropBelow(data.logStartOffset());
                purgeOn(new Purge(created, published.highWatermark()), reply);
            });
        }
    }

    /** Each part in a turn of its own, so that the shard serves others in between. */
    private void purgeOn(Purge purge, Reply<Purged> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        if (!cursors.cursor(purge.cursor().id()).equals(Optional.of(purge.cursor()))) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted meanwhile");
            return;
        }
        edge.guard(() -> {
            metrics.onPurged(purge.step());
            markDirty();
            if (purge.isDone()) {
                cursorLog.answerWhenReplicated(reply, purge.result());
            } else {
                shard.execute(() -> purgeOn(purge, reply));
            }
        });
    }

    /**
     * Removes the records below an offset. What a consumer of a queue holds stays, and what comes after it in the log.
     *
     * @param offset up to the high watermark, or -1 for that
     * @param reply gets the first offset that is left
     */
    public void deleteRecords(long offset, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        long highWatermark = published.highWatermark();
        long below = offset == -1 ? highWatermark : offset;
        if (below < 0 || below > highWatermark) {
            reply.onFailed(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "records of " + id() + " can be removed up to " + highWatermark + ", not " + offset);
        } else if (kind() == DestinationKind.TOPIC) {
            edge.guard(() -> {
                retention.removeBelow(below);
                markDirty();
                reply.onDone(data.logStartOffset());
            });
        } else {
            deleteFromQueue(below, reply);
        }
    }

    private void deleteFromQueue(long below, Reply<Long> reply) {
        Reply<Purged> purged = new Reply<>() {
            @Override
            public void onDone(Purged result) {
                edge.guard(() -> {
                    retention.removeBelow(retention.consumedBelow(below));
                    reply.onDone(data.logStartOffset());
                });
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                reply.onFailed(code, why);
            }
        };
        cursorLog.whenThere(Optional.empty(), purged, () -> {
            Cursor cursor = cursors.cursor(CursorId.QUEUE).orElseGet(() -> cursors.create(CursorId.QUEUE, 0));
            cursor.dropBelow(data.logStartOffset());
            purgeOn(new Purge(cursor, below), purged);
        });
    }

    /** Returns where a leader epoch ended. On the shard. */
    public Optional<EpochEnd> epochEnd(int leaderEpoch) {
        return data.epochEndOffset(leaderEpoch);
    }

    /** Returns the producers that are remembered. On the shard. */
    public List<ActiveProducer> activeProducers() {
        return data.activeProducers();
    }

    /** Returns the ids of the cursors that survive. */
    public List<CursorId> durableCursors() {
        return cursors.cursors().stream()
                .filter(Cursor::isDurable)
                .map(Cursor::id)
                .toList();
    }

    // ---- consumers ------------------------------------------------------------------------------------------------

    /** Opens a consumer, or attaches it again. Answered with the first offset that its cursor has not dealt with. */
    public void openConsumer(ConsumerRequest request, DeliverySink sink, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        // A cursor that exists may be about to be created here, if the partition is new.
        if (request.start() instanceof CursorStart.OfQueue
                || (request.start() instanceof CursorStart.Existing && cursorLog.isBeingCreated())) {
            cursorLog.whenThere(Optional.of(request.key().sessionId()), reply, () -> open(request, sink, reply));
        } else {
            edge.guard(() -> open(request, sink, reply));
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
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> reply.onDone(consumers.close(key)));
    }

    /** Returns whether a session still holds records that a consumer was lent from a cursor. */
    public boolean holdsRecords(CursorId cursor, ConsumerKey key) {
        return !edge.isOffline()
                && cursors.cursor(cursor)
                        .map(known -> known.acquiredBy(key) > 0)
                        .orElse(false);
    }

    public void addCredit(ConsumerKey key, int messages, int bytes) {
        edge.guard(() -> consumers.addCredit(key, messages, bytes));
    }

    /**
     * Answered once everything that is there now has been sent, as far as the consumer's credit goes; the answer is whether there is
     * more.
     */
    public void pull(ConsumerKey key, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            long dataEnd = data.logEndOffset();
            long cursorEnd = cursorLog.endOffset();
            if (published.highWatermark() < dataEnd) {
                syncWanted = true;
            }
            boolean known = consumers.pull(
                    key, () -> published.highWatermark() >= dataEnd && cursorLog.isReplicatedTo(cursorEnd), reply);
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
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            List<List<OffsetRange>> refused =
                    records.stream().map(consumers::acknowledge).toList();
            if (durable) {
                cursorLog.answerWhenReplicated(reply, refused);
            } else {
                cursorLog.answerWhenWritten(reply, refused);
            }
            markDirty();
        });
    }

    /** Gives records back. Answered when that is in the cursor log. */
    public void release(CursorId cursor, ConsumerKey key, List<ReleasedRecords> released, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            consumers.release(cursor, key, released);
            cursorLog.answerWhenWritten(reply, true);
            markDirty();
        });
    }

    /** The connection of a session is lost. */
    public void onSessionDetached(UUID session) {
        edge.guard(() -> {
            cursorLog.drop(session);
            consumers.onSessionDetached(session);
        });
    }

    /** A session has ended: what it holds goes back, counted. */
    public void onSessionGone(UUID session) {
        edge.guard(() -> {
            cursorLog.drop(session);
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
        edge.guard(() -> {
            if (data.config().flush() == FlushPolicy.OS) {
                advanceHighWatermark();
            } else if (syncWanted) {
                data.requestSync();
            }
            syncWanted = false;
            if (cursorLog.isSyncAwaited()) {
                // Somebody waits for the disk: that goes on while deliveries are read and dealt out.
                endCursorTurn();
                cursorLog.awaitSync();
            }
            boolean more = consumers.dispatch(published.highWatermark(), DISPATCH_BYTES);
            endCursorTurn();
            consumers.sendDeliveries(!more);
            cursorLog.giveAnswers();
            // Whatever happened in this turn, records may have come back that members of share groups wait for.
            shareWatchers.tell();
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
        CursorLog log = cursorLog
                .current()
                .orElseThrow(() -> new IllegalStateException(
                        "partition " + id() + " changed durable cursors without a cursor log"));
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

    /** Removes what is over its retention and what nobody needs any more. */
    public void retain() {
        edge.guard(() -> {
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
            shard.execute(() -> edge.guard(
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
