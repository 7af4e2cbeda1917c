package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.TurnEnd;
import io.millrace.coordinator.cursor.CursorOutcome;
import io.millrace.coordinator.cursor.LeaderStart;
import io.millrace.coordinator.cursor.LeaderTerm;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.coordinator.cursor.RedeliveryPolicy;
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
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
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

    /** Bytes of deliveries in a turn; what others of the shard have to do comes between. */
    private static final int DISPATCH_BYTES = 64 * 1024;

    private final PartitionSettings settings;
    private final Shard shard;
    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final PartitionMetrics metrics;
    private final PartitionConsumers consumers;
    private final WaitingSends waitingSends = new WaitingSends();
    private final PartitionAppends appends;
    private final PartitionRetention retention;
    private final Optional<MemoryRetention> memory;
    private final ConsumedByAll consumed;
    private final PartitionEdge edge;
    private final ColdReads coldReads;
    private final PartitionCursorLog cursorLog;
    private final ProgressWatchers watchers = new ProgressWatchers();
    private final ProgressWatchers shareWatchers = new ProgressWatchers();
    private final ShareConsumers shares;
    private final CursorRequests cursorRequests;
    private final ConsumerRequests consumerRequests;
    private final BrowseRequests browseRequests;
    private final Removals removals;
    private final PartitionTransactions transactions;
    private final RestTimer restTimer;

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
        TransactionalRecords transactional = new TransactionalRecords(data, cursors.undecided());
        RecordOrigin origin =
                new RecordOrigin(settings.logId(), data.partition().partition(), BodyDefault.BYTES);
        this.consumers = new PartitionConsumers(
                cursors,
                data,
                transactional,
                coldReads,
                origin,
                settings.leaderEpoch(),
                shard,
                this::markDirty,
                metrics);
        GivenUpRecords givenUp = new GivenUpRecords(this, cursors, shard, edge, this::markDirty);
        this.shares =
                new ShareConsumers(cursors, data, coldReads, shard, edge, this.cursorLog, givenUp, this::markDirty);
        this.restTimer = new RestTimer(cursors.resting(), shard, edge, this::markDirty);
        restTimer.restBy(settings.redelivery());
        LogAppender appender = new LogAppender(data, settings.leaderEpoch());
        this.published = new PartitionSnapshot(settings.leaderEpoch(), 0, true);
        this.retention = new PartitionRetention(
                settings.deleteConsumed(), settings.consumedRetentionMs(), data, cursors, metrics, shard, edge);
        this.consumed = new ConsumedByAll(
                settings.consumedRetentionMs(), data, cursors, this.cursorLog, edge, this::markDirty, shard.time());
        if (settings.deleteConsumed()) {
            data.removeConsumed(consumed);
        }
        this.memory = settings.inMemory() ? Optional.of(new MemoryRetention(data, cursors)) : Optional.empty();
        LongSupplier highWatermark = () -> published.highWatermark();
        this.cursorRequests =
                new CursorRequests(cursors, consumers, data, this.cursorLog, edge, highWatermark, this::markDirty);
        this.consumerRequests = new ConsumerRequests(
                cursors,
                consumers,
                data,
                this.cursorLog,
                edge,
                highWatermark,
                () -> syncWanted = true,
                this::markDirty);
        this.browseRequests = new BrowseRequests(
                cursors, data, transactional, coldReads, edge, watchers, highWatermark, this::wantSync);
        PartitionAppends.Events events = new PartitionAppends.Events() {
            @Override
            public void changed() {
                markDirty();
            }

            @Override
            public void wantSync() {
                syncWanted = true;
            }
        };
        this.transactions = new PartitionTransactions(
                data,
                cursors,
                consumers,
                transactional,
                this.cursorLog,
                appender,
                waitingSends,
                shard,
                edge,
                metrics,
                highWatermark,
                events,
                watchers::tell);
        this.appends = new PartitionAppends(
                appender, waitingSends, transactions, transactional, shard, edge, metrics, highWatermark, events);
        this.removals = new Removals(
                settings.kind(),
                shard,
                cursors,
                consumers,
                data,
                this.cursorLog,
                retention,
                metrics,
                edge,
                highWatermark,
                this::markDirty);
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

    /** Returns whether it is a temporary destination, of which nothing survives. */
    public boolean isInMemory() {
        return settings.inMemory();
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

    /** Returns what is asked about its cursors; on the shard. */
    public CursorRequests cursors() {
        return cursorRequests;
    }

    /** Returns what its consumers ask; on the shard. */
    public ConsumerRequests consumers() {
        return consumerRequests;
    }

    /** Returns what shows the messages of a queue; on the shard. */
    public BrowseRequests browsing() {
        return browseRequests;
    }

    /** Returns what removes its messages on demand; on the shard. */
    public Removals removals() {
        return removals;
    }

    /** Returns the transactions that write here; on the shard. */
    public PartitionTransactions transactions() {
        return transactions;
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
     * @param redelivery how long records rest that came back
     */
    public void reconfigure(
            LogConfig dataConfig, LogConfig cursorConfig, long consumedRetentionMs, RedeliveryPolicy redelivery) {
        edge.guard(() -> {
            data.reconfigure(dataConfig);
            restTimer.restBy(redelivery);
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
        appends.append(batch, leaderEpoch, wait, reply);
    }

    /**
     * As {@link #append} without waiting, for a batch of a branch, on which several sessions may work at a time: whatever sequence it names, it gets
     * the one that follows.
     */
    public void appendOfBranch(ByteBuffer batch, int leaderEpoch, SendReply reply) {
        appends.appendOfBranch(batch, leaderEpoch, reply);
    }

    /**
     * Appends a batch of a Kafka client, which may come without a producer id and names no leader epoch.
     *
     * @param batch one whole batch; belongs to the partition until this returns
     * @param wait whether the answer waits for the high watermark
     */
    public void produce(ByteBuffer batch, boolean wait, SendReply reply) {
        appends.produce(batch, wait, reply);
    }

    /**
     * Appends a batch that the broker itself wrote, such as a decision about a group. It may use the disk's reserve. Answered when it is
     * written, with the offset after it; whether it is below the high watermark, {@link #watch} tells.
     *
     * @param batch one whole batch; belongs to the partition until the answer, which fills in its offset and epoch
     */
    public void appendOwn(ByteBuffer batch, Reply<Long> reply) {
        appends.appendOwn(batch, true, reply);
    }

    /**
     * The same for what nobody waits for.
     *
     * @param sync whether it is synced at once, and not with what others have synced
     */
    public void appendOwn(ByteBuffer batch, boolean sync, Reply<Long> reply) {
        appends.appendOwn(batch, sync, reply);
        if (!sync) {
            edge.guard(data::syncAlong);
        }
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

    /** Returns where a leader epoch ended. On the shard. */
    public Optional<EpochEnd> epochEnd(int leaderEpoch) {
        return data.epochEndOffset(leaderEpoch);
    }

    /** Returns the producers that are remembered. On the shard. */
    public List<ActiveProducer> activeProducers() {
        return data.activeProducers();
    }

    // ---- turns ----------------------------------------------------------------------------------------------------

    private void wantSync() {
        syncWanted = true;
        markDirty();
    }

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            shard.atTurnEnd(this);
        }
    }

    @Override
    public void askForSyncs() {
        dirty = false;
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
        });
    }

    @Override
    public void onTurnEnd() {
        metrics.onChanged();
        edge.guard(() -> {
            boolean more = consumers.dispatch(published.highWatermark(), DISPATCH_BYTES);
            endCursorTurn();
            consumers.sendDeliveries(!more);
            cursorLog.giveAnswers();
            restTimer.onTurnEnd();
            memory.ifPresent(MemoryRetention::removeConsumed);
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
