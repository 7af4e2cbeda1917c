package io.millrace.log.internal.disk;

import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.DiskFullException;
import io.millrace.log.EpochEnd;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogClosedException;
import io.millrace.log.LogConfig;
import io.millrace.log.LogOffsets;
import io.millrace.log.LogRole;
import io.millrace.log.LogSlice;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.RetentionResult;
import io.millrace.log.SegmentInfo;
import io.millrace.log.SyncListener;
import io.millrace.log.internal.batch.AppendCheck;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.Markers;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.producer.AbortedTransaction;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.Segment;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log in a directory of its own: the segments, and what they add up to. State changes on the shard only; after each change a
 * {@link LogView} is published, which is all that readers and the syncer look at.
 *
 * <p>An append is one write to the active segment's file. Everything else that it changes is in memory, so there is no state in which half
 * of it counts: if the write fails, the log is as before, and what the write left behind the log end is overwritten by the next one.
 */
public final class DiskPartitionLog implements PartitionLog {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPartitionLog.class);

    /** After so many bytes there is a new producer snapshot, so that a start after kill -9 never reads more than that again. */
    private static final long SNAPSHOT_INTERVAL_BYTES = 64L << 20;

    /** Hears that a log ends. */
    public interface Owner {
        /** The log is closed, and with {@code deleted} removed as well. On the log's shard. */
        void onClosed(boolean deleted);
    }

    private final LogIdentity identity;
    private final LogContext context;
    private final Owner owner;
    private final SyncListener listener;
    private final AppendCheck check;
    private final ProducerStates producers;
    private final SnapshotFiles snapshots;
    private final LogSync sync;
    private final LogReads reads;
    private final RecordBatches walk = new RecordBatches();
    private final BatchHeader header = new BatchHeader();

    private LogConfig config;
    private volatile LogView view;
    private volatile boolean closed;
    private long bytesSinceSnapshot;

    /** Segments that were removed, oldest first, and have their files still. */
    private final List<Segment> unlinked = new ArrayList<>();

    /** Whether something was written since the log was opened. */
    private boolean touched;

    private DiskPartitionLog(
            LogIdentity identity,
            LogContext context,
            RecoveredLog found,
            SyncedOffsets.Entry entry,
            LogConfig config,
            Executor shard,
            SyncListener listener,
            Owner owner) {
        this.identity = identity;
        this.context = context;
        this.config = config;
        this.listener = listener;
        this.owner = owner;
        this.check = new AppendCheck(config);
        this.producers = found.producers();
        this.snapshots = found.snapshots();
        long end = found.segments().getLast().nextOffset();
        long size = 0;
        for (Segment segment : found.segments()) {
            size += segment.sizeBytes();
        }
        this.view = new LogView(
                new LogOffsets(
                        found.logStartOffset(),
                        found.synced().offset(),
                        end,
                        found.epochs().latestEpoch(),
                        size),
                found.segments(),
                found.segments().getLast().sizeBytes(),
                found.epochs(),
                0,
                context.directory().syncedOffsets().cuts(entry));
        this.reads = new LogReads(identity, this::view, () -> closed);
        this.sync = new LogSync(
                identity,
                context,
                entry,
                this::view,
                found.epochsDurable() ? found.epochs() : null,
                shard,
                listener,
                this::onSynced);
        this.bytesSinceSnapshot = found.segments().getLast().sizeBytes();
    }

    /** Opens the log in a directory that exists, and recovers it. Blocks while it reads. */
    public static DiskPartitionLog open(
            LogIdentity identity,
            LogContext context,
            LogConfig config,
            Executor shard,
            SyncListener listener,
            Owner owner)
            throws IOException {
        DataDirectory directory = context.directory();
        Optional<SyncedPoint> recorded = directory.syncedOffsets().find(identity.key());
        OptionalLong start = identity.role() == LogRole.DATA
                ? directory.startOffsets().get(identity.partition())
                : OptionalLong.empty();
        RecoveredLog found = new LogRecovery(
                        context.cache(),
                        identity.path(),
                        config,
                        directory.startKind(),
                        recorded,
                        start,
                        context.time().wallClockMs())
                .run();
        SyncedOffsets.Entry entry = directory.syncedOffsets().enter(identity.key(), found.synced());
        DiskPartitionLog log = new DiskPartitionLog(identity, context, found, entry, config, shard, listener, owner);
        if (found.startLowered()) {
            log.lowerRecordedStart();
        }
        log.begin();
        return log;
    }

    /** Has what the recovery left undone done. */
    private void begin() {
        List<Segment> segments = view.segments();
        boolean unforced = segments.stream().anyMatch(segment -> segment.isSealed() && !segment.isForced());
        if (logEndOffset() > syncedOffset() || unforced) {
            touched = true;
            sync.request();
        }
    }

    /** What is recorded of the log start is above what was found. It must not hide records that are appended now. */
    private void lowerRecordedStart() throws IOException {
        recordStart(logStartOffset());
        context.directory().startOffsets().write();
        sync.epochFile().write(view.epochs(), view.cuts());
        sync.onForcedByShard(view);
    }

    private void recordStart(long offset) {
        if (identity.role() == LogRole.DATA) {
            context.directory().startOffsets().put(identity.partition(), offset);
        }
    }

    private LogView view() {
        return view;
    }

    @Override
    public PartitionId partition() {
        return identity.partition();
    }

    @Override
    public LogRole role() {
        return identity.role();
    }

    @Override
    public UUID logId() {
        return identity.logId();
    }

    @Override
    public LogConfig config() {
        return config;
    }

    @Override
    public void reconfigure(LogConfig newConfig) {
        config = newConfig;
        check.reconfigure(newConfig);
        producers.maxProducers(newConfig.maxProducers());
    }

    // ---- appending ----------------------------------------------------------------------------------------------

    @Override
    public AppendResult append(ByteBuffer buffer, int leaderEpoch, AppendOrigin origin) {
        ensureWritable();
        LogView before = view;
        boolean privileged = mayUseReserve(origin);
        if (!privileged && !context.directory().reserve().isWhole()) {
            throw full(buffer.remaining(), Optional.empty());
        }
        AppendResult refused = check.check(
                buffer,
                leaderEpoch,
                origin,
                before.offsets().logEndOffset(),
                before.offsets().latestEpoch(),
                producers::check);
        if (refused != null) {
            return refused;
        }
        int bytes = buffer.remaining();
        long nowMs = context.time().wallClockMs();
        long lastOffset = check.nextOffset() - 1;
        onDisk(bytes, privileged, "a write to " + identity, () -> {
            if (view.active().mustRollBefore(bytes, lastOffset, config, nowMs)) {
                rollActive();
            }
            view.active().write(buffer.duplicate());
        });
        onWritten(buffer, nowMs);
        return new AppendResult.Appended(before.offsets().logEndOffset(), lastOffset, bytes);
    }

    private boolean mayUseReserve(AppendOrigin origin) {
        return identity.role() == LogRole.CURSORS || origin == AppendOrigin.COORDINATOR || config.mayUseReserve();
    }

    /** The batches are in the file: makes them part of the log. */
    private void onWritten(ByteBuffer buffer, long nowMs) {
        Segment active = view.active();
        int start = active.sizeBytes();
        EpochHistory epochs = view.epochs();
        List<AbortedTransaction> aborted = List.of();
        walk.reset(buffer);
        while (walk.next()) {
            RecordBatch batch = walk.current();
            header.wrap(buffer, batch.position());
            active.index(header, start + batch.position() - buffer.position(), config.indexIntervalBytes());
            epochs = epochs.with(header.leaderEpoch(), header.baseOffset());
            Optional<AbortedTransaction> ended = producers.onAppended(header, Markers.markerOf(batch), nowMs);
            if (ended.isPresent()) {
                aborted = new ArrayList<>(aborted);
                aborted.add(ended.get());
            }
        }
        int bytes = buffer.remaining();
        active.advance(start + bytes, check.nextOffset(), nowMs);
        touched = true;
        if (config.flush() == FlushPolicy.ACK) {
            active.pin();
        }
        publish(check.nextOffset(), epochs, view.offsets().sizeBytes() + bytes);
        for (AbortedTransaction transaction : aborted) {
            addAborted(active, transaction);
        }
        bytesSinceSnapshot += bytes;
        writeWhatCanWait(active);
        sync.onAppended(config);
    }

    /** The marker is in the log already, so this must go on while there is any space at all. */
    private void addAborted(Segment active, AbortedTransaction transaction) {
        try {
            onDisk(1, true, "a write to the transaction index of " + identity, () -> active.addAborted(transaction));
        } catch (DiskFullException e) {
            throw context.directory().fail("a write to the transaction index of " + identity, new IOException(e));
        }
    }

    private void publish(long end, EpochHistory epochs, long sizeBytes) {
        LogOffsets old = view.offsets();
        view = new LogView(
                new LogOffsets(old.logStartOffset(), old.syncedOffset(), end, epochs.latestEpoch(), sizeBytes),
                view.segments(),
                view.active().sizeBytes(),
                epochs,
                view.names(),
                view.cuts());
    }

    /** Index entries and snapshots save reading at the next start. If they cannot be written now, the log is none the worse. */
    private void writeWhatCanWait(Segment active) {
        try {
            if (active.hasManyUnwrittenIndexEntries()) {
                active.writeIndexes();
            }
            if (bytesSinceSnapshot >= SNAPSHOT_INTERVAL_BYTES) {
                OptionalLong previous = snapshots.newest();
                writeSnapshot();
                if (previous.isPresent() && previous.getAsLong() > active.baseOffset()) {
                    snapshots.delete(previous.getAsLong());
                }
            }
        } catch (IOException e) {
            LOG.debug("index or producer snapshot of {} not written", identity, e);
        }
    }

    private void writeSnapshot() throws IOException {
        bytesSinceSnapshot = 0;
        snapshots.write(producers);
    }

    private interface DiskAction {
        void run() throws IOException;
    }

    /** Does something to the disk; what must go on gets space from the reserve when there is no other. */
    private void onDisk(int neededBytes, boolean privileged, String what, DiskAction action) {
        DataDirectory directory = context.directory();
        while (true) {
            try {
                action.run();
                return;
            } catch (IOException e) {
                if (!DiskSpace.isFull(e, identity.path(), neededBytes)) {
                    throw directory.fail(what, e);
                }
                if (!privileged || !releaseReserve(neededBytes)) {
                    giveBackSpace();
                    throw full(neededBytes, Optional.of(e));
                }
            }
        }
    }

    private boolean releaseReserve(int neededBytes) {
        try {
            return context.directory().reserve().release(neededBytes);
        } catch (IOException e) {
            throw context.directory().fail("a use of the reserve", e);
        }
    }

    /** A write that found no space may have taken some. */
    private void giveBackSpace() {
        try {
            view.active().log().truncate(view.active().sizeBytes());
        } catch (IOException e) {
            LOG.debug("{} keeps some bytes behind its end, which the next append overwrites", identity, e);
        }
    }

    private DiskFullException full(int neededBytes, Optional<IOException> cause) {
        DataDirectory directory = context.directory();
        String message = "no space for " + neededBytes + " bytes in data directory " + directory.path() + " (log "
                + identity + "): " + DiskSpace.usableBytes(directory.path())
                + " bytes are usable, and the reserve holds "
                + directory.reserve().heldBytes()
                + (directory.reserve().isWhole() ? "" : ", which is not whole")
                + ". Free space, shorten retention, or let consumers acknowledge";
        return cause.map(e -> new DiskFullException(message, e)).orElseGet(() -> new DiskFullException(message));
    }

    // ---- segments -----------------------------------------------------------------------------------------------

    @Override
    public void roll() {
        ensureWritable();
        if (view.active().sizeBytes() > 0) {
            onDisk(1, true, "beginning a segment of " + identity, this::rollActive);
        }
    }

    private void rollActive() throws IOException {
        Segment old = view.active();
        Segment next = Segment.create(context.cache(), identity.path(), old.nextOffset());
        boolean sealed = false;
        try {
            old.seal();
            sealed = true;
        } finally {
            if (!sealed) {
                next.delete();
            }
        }
        List<Segment> segments = new ArrayList<>(view.segments());
        segments.add(next);
        publish(view.offsets(), segments, view.cuts());
        touched = true;
        try {
            writeSnapshot();
        } catch (IOException e) {
            LOG.debug("producer snapshot of {} not written", identity, e);
        }
        sync.requestLazily();
    }

    private void publish(LogOffsets offsets, List<Segment> segments, long cuts) {
        view = new LogView(
                offsets, List.copyOf(segments), segments.getLast().sizeBytes(), view.epochs(), view.names() + 1, cuts);
    }

    @Override
    public RetentionResult advanceLogStart(long offset) {
        ensureWritable();
        LogOffsets now = view.offsets();
        if (offset > now.logEndOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, now.logStartOffset(), now.logEndOffset());
        }
        return offset <= now.logStartOffset() ? RetentionResult.NOTHING : startAt(offset);
    }

    private RetentionResult startAt(long offset) {
        List<Segment> kept = new ArrayList<>(view.segments());
        List<Segment> removed = new ArrayList<>();
        long bytes = 0;
        while (kept.size() > 1 && kept.getFirst().nextOffset() <= offset) {
            Segment oldest = kept.removeFirst();
            removed.add(oldest);
            bytes += oldest.sizeBytes();
        }
        LogOffsets old = view.offsets();
        LogOffsets offsets = new LogOffsets(
                offset, old.syncedOffset(), old.logEndOffset(), old.latestEpoch(), old.sizeBytes() - bytes);
        EpochHistory epochs = view.epochs().startAt(offset);
        view = new LogView(offsets, List.copyOf(kept), view.activeBytes(), epochs, view.names(), view.cuts());
        recordStart(offset);
        if (!removed.isEmpty()) {
            touched = true;
            unlinked.addAll(removed);
            sync.requestLazily();
        }
        return new RetentionResult(removed.size(), bytes);
    }

    /**
     * Deletes the files of segments that were removed, once the log start that removed them is durable: a start after a crash that found a
     * part of them, and did not know, would take what follows for unreachable.
     */
    private void deleteRemoved(long durableStart) {
        List<Segment> doomed = new ArrayList<>();
        while (!unlinked.isEmpty() && unlinked.getFirst().nextOffset() <= durableStart) {
            doomed.add(unlinked.removeFirst());
        }
        if (!doomed.isEmpty()) {
            deleteSnapshotsBelow(view.segments().getFirst().baseOffset());
            context.syncer().later(() -> delete(doomed));
        }
    }

    private static void delete(List<Segment> doomed) {
        for (Segment segment : doomed) {
            try {
                segment.delete();
            } catch (IOException e) {
                LOG.warn("{} is not needed any more and cannot be removed; the next start tries again", segment, e);
            }
        }
    }

    private void deleteSnapshotsBelow(long offset) {
        try {
            snapshots.deleteBelow(offset);
        } catch (IOException e) {
            LOG.warn("producer snapshots of {} below offset {} cannot be removed", identity, offset, e);
        }
    }

    @Override
    public RetentionResult retain(long nowMs, long earliestNeededOffset) {
        ensureWritable();
        producers.expire(nowMs, config.producerExpirationMs());
        long start = new Retention(config, nowMs, earliestNeededOffset).newStart(view);
        try {
            boolean wholeActiveGoes =
                    start == view.offsets().logEndOffset() && view.active().sizeBytes() > 0;
            if (wholeActiveGoes || view.active().isOld(config.rollMs(), nowMs)) {
                roll();
            }
            view.active().writeIndexes();
        } catch (IOException e) {
            LOG.warn("the index of {} could not be written; it is tried again", identity, e);
        }
        return start <= view.offsets().logStartOffset() ? RetentionResult.NOTHING : startAt(start);
    }

    @Override
    public List<SegmentInfo> segments() {
        return view.segments().stream().map(Segment::info).toList();
    }

    // ---- epochs -------------------------------------------------------------------------------------------------

    @Override
    public Optional<EpochEnd> epochEndOffset(int epoch) {
        LogView now = view;
        return now.epochs().endOf(epoch, now.offsets().logEndOffset());
    }

    @Override
    public boolean beginEpoch(int leaderEpoch) {
        ensureWritable();
        if (leaderEpoch < view.offsets().latestEpoch()) {
            return false;
        }
        EpochHistory epochs = view.epochs().with(leaderEpoch, logEndOffset());
        if (!epochs.equals(view.epochs())) {
            touched = true;
            publish(logEndOffset(), epochs, sizeBytes());
            sync.request();
        }
        return true;
    }

    // ---- reading ------------------------------------------------------------------------------------------------

    @Override
    public LogSlice read(long offset, int maxBytes, long endOffsetExclusive) {
        return reads.read(offset, maxBytes, endOffsetExclusive);
    }

    @Override
    public OptionalLong offsetForTimestamp(long timestampMs) {
        return reads.offsetForTimestamp(timestampMs);
    }

    @Override
    public LogOffsets offsets() {
        return view.offsets();
    }

    // ---- durability ---------------------------------------------------------------------------------------------

    @Override
    public void requestSync() {
        ensureOpen();
        sync.request();
    }

    private boolean onSynced(LogView synced) {
        LogView now = view;
        if (closed || now.cuts() != synced.cuts()) {
            return false;
        }
        long syncedOffset = synced.offsets().logEndOffset();
        LogOffsets old = now.offsets();
        boolean news = syncedOffset > old.syncedOffset();
        if (news) {
            view = new LogView(
                    new LogOffsets(
                            old.logStartOffset(), syncedOffset, old.logEndOffset(), old.latestEpoch(), old.sizeBytes()),
                    now.segments(),
                    now.activeBytes(),
                    now.epochs(),
                    now.names(),
                    now.cuts());
            unpinSynced(syncedOffset);
        }
        deleteRemoved(synced.offsets().logStartOffset());
        if (news) {
            listener.onSynced(syncedOffset);
        }
        return true;
    }

    private void unpinSynced(long syncedOffset) {
        List<Segment> segments = view.segments();
        for (int i = segments.size() - 1; i >= 0 && segments.get(i).log().isPinned(); i--) {
            if (segments.get(i).nextOffset() <= syncedOffset) {
                segments.get(i).unpin();
            }
        }
    }

    // ---- cutting ------------------------------------------------------------------------------------------------

    @Override
    public void truncateTo(long offset) {
        ensureWritable();
        LogOffsets now = view.offsets();
        if (offset < now.logStartOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, now.logStartOffset(), now.logEndOffset());
        }
        if (offset < now.logEndOffset()) {
            durably("cutting " + identity, () -> cut(offset));
        }
    }

    private void cut(long offset) throws IOException {
        LogView before = view;
        int keep = before.indexOf(offset);
        Segment last = before.segments().get(keep);
        Segment.Cut cut = last.cutAt(offset);
        long end = cut.offset();
        // Whoever reads the file after a crash must not take what is missing then for lost.
        long cuts = context.directory()
                .syncedOffsets()
                .beforeCut(sync.entry(), new SyncedPoint(end, last.baseOffset(), cut.position()));
        List<Segment> dropped =
                before.segments().subList(keep + 1, before.segments().size());
        long bytes = (long) last.sizeBytes() - cut.position();
        for (Segment segment : dropped) {
            bytes += segment.sizeBytes();
        }
        LogOffsets old = before.offsets();
        EpochHistory epochs = before.epochs().cutAt(end);
        // Readers must know before the bytes change.
        view = new LogView(
                new LogOffsets(
                        Math.min(old.logStartOffset(), end),
                        Math.min(old.syncedOffset(), end),
                        end,
                        epochs.latestEpoch(),
                        old.sizeBytes() - bytes),
                List.copyOf(before.segments().subList(0, keep + 1)),
                cut.position(),
                epochs,
                before.names(),
                cuts);
        for (int i = dropped.size() - 1; i >= 0; i--) {
            dropped.get(i).delete();
        }
        last.truncate(cut);
        last.log().force();
        snapshots.deleteAbove(end);
        sync.epochFile().write(epochs, cuts);
        DurableFiles.forceDirectory(identity.path());
        if (end < old.logStartOffset()) {
            // The batch that holds the start went whole.
            recordStart(end);
            context.directory().startOffsets().write();
        }
        sync.onForcedByShard(view);
        touched = true;
        rebuildProducers();
    }

    private void rebuildProducers() throws IOException {
        LogView now = view;
        long nowMs = context.time().wallClockMs();
        snapshots.restore(
                producers, now.segments().getFirst().baseOffset(), now.offsets().logEndOffset(), nowMs);
        for (Segment segment : now.segments()
                .subList(now.indexOf(producers.endOffset()), now.segments().size())) {
            segment.replay((batch, position, marker) -> {
                if (batch.baseOffset() >= producers.endOffset()) {
                    producers.onAppended(batch, marker, nowMs);
                }
                return true;
            });
        }
        bytesSinceSnapshot = now.activeBytes();
    }

    @Override
    public void restartAt(long offset) {
        ensureWritable();
        durably("starting " + identity + " again at offset " + offset, () -> restart(offset));
    }

    private void restart(long offset) throws IOException {
        SyncedOffsets table = context.directory().syncedOffsets();
        LogView before = view;
        long cuts = table.beforeCut(sync.entry(), SyncedPoint.beginningOf(0));
        for (int i = before.segments().size() - 1; i >= 0; i--) {
            before.segments().get(i).delete();
        }
        for (Segment segment : unlinked) {
            segment.delete();
        }
        unlinked.clear();
        snapshots.deleteAll();
        Segment first = Segment.create(context.cache(), identity.path(), offset);
        sync.epochFile().write(EpochHistory.EMPTY, cuts);
        DurableFiles.forceDirectory(identity.path());
        table.record(sync.entry(), cuts, SyncedPoint.beginningOf(offset));
        table.force();
        recordStart(offset);
        context.directory().startOffsets().write();
        producers.reset(offset);
        view = new LogView(
                new LogOffsets(offset, offset, offset, EpochHistory.NO_EPOCH, 0),
                List.of(first),
                0,
                EpochHistory.EMPTY,
                before.names(),
                cuts);
        sync.onForcedByShard(view);
        touched = true;
    }

    private void durably(String what, DiskAction action) {
        try {
            action.run();
        } catch (IOException e) {
            throw context.directory().fail(what, e);
        }
    }

    // ---- the end ------------------------------------------------------------------------------------------------

    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (touched && context.directory().failure().isEmpty()) {
            try {
                forceAll();
            } catch (IOException e) {
                context.directory().fail("closing " + identity, e);
            }
        }
        closed = true;
        sync.close();
        closeFiles();
        owner.onClosed(false);
    }

    private void forceAll() throws IOException {
        LogView now = view;
        now.active().completeIndexes();
        writeSnapshot();
        SnapshotFiles.toForce(context.cache(), identity.path(), producers.endOffset())
                .force();
        for (Segment segment : now.segments()) {
            segment.forceAll();
        }
        sync.epochFile().write(now.epochs(), now.cuts());
        DurableFiles.forceDirectory(identity.path());
        context.directory().syncedOffsets().record(sync.entry(), now.cuts(), now.end());
        deleteRemoved(now.offsets().logStartOffset());
    }

    private void closeFiles() {
        for (Segment segment : view.segments()) {
            try {
                segment.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed", segment, e);
            }
        }
    }

    @Override
    public void delete() {
        ensureWritable();
        closed = true;
        sync.close();
        closeFiles();
        LogRemoval.remove(identity, context);
        owner.onClosed(true);
    }

    private void ensureOpen() {
        if (closed) {
            throw new LogClosedException(this + " is closed");
        }
    }

    private void ensureWritable() {
        ensureOpen();
        context.directory().ensureWritable();
    }

    @Override
    public String toString() {
        return identity.toString();
    }
}
