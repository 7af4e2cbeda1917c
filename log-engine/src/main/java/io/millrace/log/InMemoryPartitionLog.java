package io.millrace.log;

import io.millrace.log.internal.batch.AppendCheck;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.Markers;
import io.millrace.log.internal.batch.TimestampSearch;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * A log that never touches the disk, for what must not outlive the process: temporary destinations. It behaves as one on disk does, with
 * these differences: it is full at a given size; it has a single segment, and what is removed goes batch by batch; everything counts as
 * synced as soon as it is written, which the listener hears through the executor all the same.
 *
 * <p>The executor must not run the listener within {@link #append}: hand in the shard's, or a queue.
 */
public final class InMemoryPartitionLog implements PartitionLog {
    /** What a batch takes besides its bytes, about. */
    private static final int BATCH_OVERHEAD_BYTES = 200;

    private final PartitionId partition;
    private final LogRole role;
    private final UUID logId;
    private final long maxBytes;
    private final LogMemory memory;
    private final Executor executor;
    private final SyncListener listener;
    private final TimeSource time;
    private final AppendCheck check;
    private final ProducerStates producers;
    private final RecordBatches walk = new RecordBatches();
    private final BatchHeader header = new BatchHeader();

    /** Batches by their base offset; the buffers are never changed once they are in. */
    private final ConcurrentNavigableMap<Long, ByteBuffer> batches = new ConcurrentSkipListMap<>();

    /** In the order of their markers. */
    private final List<AbortedTransaction> aborted = new CopyOnWriteArrayList<>();

    private LogConfig config;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private volatile LogOffsets offsets = new LogOffsets(0, 0, 0, 0, EpochHistory.NO_EPOCH, 0);
    private long takenBytes;
    private int held;
    private boolean notificationPending;
    private boolean closed;

    /**
     * Creates an empty log.
     *
     * @param maxBytes size at which appends are refused with {@link MemoryFullException}
     * @param executor runs the listener: the shard
     */
    public InMemoryPartitionLog(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            long maxBytes,
            Executor executor,
            SyncListener listener,
            TimeSource time) {
        this(partition, role, logId, config, maxBytes, new LogMemory(Long.MAX_VALUE), executor, listener, time);
    }

    /**
     * Creates an empty log that shares memory with others.
     *
     * @param maxBytes size at which appends are refused with {@link MemoryFullException}
     * @param memory in which they are refused too
     * @param executor runs the listener: the shard
     */
    public InMemoryPartitionLog(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            long maxBytes,
            LogMemory memory,
            Executor executor,
            SyncListener listener,
            TimeSource time) {
        this.partition = partition;
        this.memory = memory;
        this.role = role;
        this.logId = logId;
        this.config = config;
        this.maxBytes = maxBytes;
        this.executor = executor;
        this.listener = listener;
        this.time = time;
        this.check = new AppendCheck(config);
        this.producers = new ProducerStates(config.maxProducers());
    }

    @Override
    public PartitionId partition() {
        return partition;
    }

    @Override
    public LogRole role() {
        return role;
    }

    @Override
    public UUID logId() {
        return logId;
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

    @Override
    public AppendResult append(ByteBuffer buffer, int leaderEpoch, AppendOrigin origin) {
        ensureOpen();
        LogOffsets before = offsets;
        long nowMs = time.wallClockMs();
        AppendResult refused =
                check.check(buffer, leaderEpoch, origin, before.logEndOffset(), before.latestEpoch(), nowMs, producers);
        if (refused != null) {
            return refused;
        }
        int bytes = buffer.remaining();
        if (before.sizeBytes() + bytes > maxBytes) {
            throw new MemoryFullException(this + " is full: it holds " + before.sizeBytes() + " of at most " + maxBytes
                    + " bytes in memory, and " + bytes + " more were sent; consume from it first");
        }
        if (!memory.take(bytes + BATCH_OVERHEAD_BYTES)) {
            throw new MemoryFullException(
                    this + " cannot take " + bytes + " bytes: all queues and topics in memory hold "
                            + memory.usedBytes() + " of at most " + memory.maxBytes() + "; consume from them first");
        }
        takenBytes += bytes + BATCH_OVERHEAD_BYTES;
        walk.reset(ByteBuffer.allocate(bytes).put(buffer.duplicate()).flip());
        while (walk.next()) {
            held++;
            RecordBatch batch = walk.current();
            batches.put(batch.baseOffset(), batch.slice());
            epochs = epochs.with(batch.partitionLeaderEpoch(), batch.baseOffset());
            producers
                    .onAppended(header.wrap(batch.buffer(), batch.position()), Markers.markerOf(batch), nowMs)
                    .ifPresent(aborted::add);
        }
        publish(before.logStartOffset(), check.nextOffset(), before.sizeBytes() + bytes);
        notifyLater();
        return new AppendResult.Appended(before.logEndOffset(), check.nextOffset() - 1, bytes, check.logAppendTimeMs());
    }

    @Override
    public LogSlice read(long offset, int maxBytesWanted, long endOffsetExclusive) {
        LogOffsets now = offsets;
        checkReadable(offset, now);
        Map.Entry<Long, ByteBuffer> first = batches.floorEntry(offset);
        if (offset >= now.logEndOffset() || first == null) {
            return LogSlice.empty(offset);
        }
        List<ByteBuffer> chosen = new ArrayList<>();
        int bytes = 0;
        long next = offset;
        for (ByteBuffer batch : batches.tailMap(first.getKey()).values()) {
            long end = header(batch).nextOffset();
            boolean full = bytes > 0 && bytes + batch.remaining() > maxBytesWanted;
            if (end > Math.min(endOffsetExclusive, now.logEndOffset()) || full) {
                break;
            }
            chosen.add(batch);
            bytes += batch.remaining();
            next = end;
        }
        // Removed between the look at the offsets and here: what the offsets say now tells the caller.
        checkReadable(offset, offsets);
        if (chosen.isEmpty()) {
            return LogSlice.empty(offset);
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        chosen.forEach(batch -> copy.put(batch.duplicate()));
        return new LogSlice(first.getKey(), next, copy.flip());
    }

    private void checkReadable(long offset, LogOffsets now) {
        if (offset < now.logStartOffset() || offset > now.logEndOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, now.logStartOffset(), now.logEndOffset());
        }
    }

    /** There is no file. */
    @Override
    public Optional<FileSlice> slice(long offset, int maxBytesWanted, long endOffsetExclusive) {
        checkReadable(offset, offsets);
        return Optional.empty();
    }

    @Override
    public Optional<TimestampedOffset> offsetForTimestamp(long timestampMs) {
        LogOffsets now = offsets;
        for (ByteBuffer batch : batches.values()) {
            Optional<TimestampedOffset> found =
                    TimestampSearch.inBatch(RecordBatch.at(batch, 0), timestampMs, now.logStartOffset());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<TimestampedOffset> offsetOfMaxTimestamp() {
        LogOffsets now = offsets;
        long largest = RecordBatch.NO_TIMESTAMP;
        for (ByteBuffer batch : batches.values()) {
            largest = Math.max(largest, TimestampSearch.largestFrom(RecordBatch.at(batch, 0), now.logStartOffset()));
        }
        return largest == RecordBatch.NO_TIMESTAMP ? Optional.empty() : offsetForTimestamp(largest);
    }

    @Override
    public List<AbortedTransaction> abortedTransactions(long fromOffset, long endOffsetExclusive) {
        return aborted.stream()
                .filter(a -> a.lastOffset() >= fromOffset && a.firstOffset() < endOffsetExclusive)
                .toList();
    }

    @Override
    public List<OpenTransaction> openTransactions() {
        return producers.openTransactions();
    }

    @Override
    public short openTransactionEpoch(long producerId) {
        return producers.openTransactionEpoch(producerId);
    }

    @Override
    public List<ActiveProducer> activeProducers() {
        return producers.active();
    }

    @Override
    public OptionalLong batchTimestampAt(long offset) {
        LogOffsets now = offsets;
        Map.Entry<Long, ByteBuffer> batch = batches.floorEntry(offset);
        boolean exists = batch != null && offset >= now.logStartOffset() && offset < now.logEndOffset();
        return exists ? OptionalLong.of(header(batch.getValue()).maxTimestampMs()) : OptionalLong.empty();
    }

    @Override
    public LogOffsets offsets() {
        return offsets;
    }

    @Override
    public Optional<EpochEnd> epochEndOffset(int epoch) {
        return epochs.endOf(epoch, logEndOffset());
    }

    @Override
    public boolean beginEpoch(int leaderEpoch) {
        ensureOpen();
        if (leaderEpoch < epochs.latestEpoch()) {
            return false;
        }
        epochs = epochs.with(leaderEpoch, logEndOffset());
        publish(logStartOffset(), logEndOffset(), sizeBytes());
        return true;
    }

    @Override
    public void requestSync() {
        ensureOpen();
        notifyLater();
    }

    @Override
    public void syncAlong() {
        ensureOpen();
    }

    @Override
    public void roll() {
        ensureOpen();
    }

    @Override
    public void truncateTo(long offset) {
        ensureOpen();
        LogOffsets before = offsets;
        if (offset < before.logStartOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, before.logStartOffset(), before.logEndOffset());
        }
        long end = before.logEndOffset();
        long bytes = before.sizeBytes();
        while (end > offset) {
            ByteBuffer last = Objects.requireNonNull(batches.lastEntry(), "batches of a log that is not empty")
                    .getValue();
            end = header(last).baseOffset();
            bytes -= last.remaining();
            batches.remove(end);
            held--;
        }
        EpochHistory epochsLeft = epochs.cutAt(end);
        boolean unchanged = end == before.logEndOffset() && (offset > end || epochsLeft.equals(epochs));
        if (unchanged) {
            return;
        }
        epochs = epochsLeft;
        producers.reset(end);
        long nowMs = time.wallClockMs();
        for (ByteBuffer batch : batches.values()) {
            producers.onAppended(header(batch), Markers.markerOf(RecordBatch.at(batch, 0)), nowMs);
        }
        long endNow = end;
        aborted.removeIf(transaction -> transaction.lastOffset() >= endNow);
        publish(Math.min(before.logStartOffset(), end), end, bytes);
        notifyLater();
    }

    @Override
    public void restartAt(long offset) {
        ensureOpen();
        batches.clear();
        held = 0;
        aborted.clear();
        producers.reset(offset);
        epochs = EpochHistory.EMPTY;
        publish(offset, offset, 0);
        notifyLater();
    }

    @Override
    public RetentionResult advanceLogStart(long offset) {
        ensureOpen();
        LogOffsets before = offsets;
        if (offset > before.logEndOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, before.logStartOffset(), before.logEndOffset());
        }
        return offset <= before.logStartOffset() ? RetentionResult.NOTHING : removeBelow(offset);
    }

    @Override
    public RetentionResult retain(long nowMs, long earliestNeededOffset) {
        ensureOpen();
        producers.expire(nowMs, config.producerExpirationMs());
        long bytes = sizeBytes();
        long start = logStartOffset();
        for (ByteBuffer batch : batches.values()) {
            BatchHeader oldest = header(batch);
            boolean tooOld = config.retentionMs() >= 0 && nowMs - oldest.maxTimestampMs() > config.retentionMs();
            boolean tooMuch = config.retentionBytes() >= 0 && bytes > config.retentionBytes();
            if (oldest.nextOffset() > earliestNeededOffset || !(tooOld || tooMuch)) {
                break;
            }
            start = oldest.nextOffset();
            bytes -= batch.remaining();
        }
        return start == logStartOffset() ? RetentionResult.NOTHING : removeBelow(start);
    }

    private RetentionResult removeBelow(long offset) {
        long removed = 0;
        // Readers look at the start again after they have read, so it must move first.
        publish(offset, logEndOffset(), sizeBytes());
        for (Map.Entry<Long, ByteBuffer> entry : batches.entrySet()) {
            if (header(entry.getValue()).nextOffset() > offset) {
                break;
            }
            removed += entry.getValue().remaining();
            batches.remove(entry.getKey());
            held--;
        }
        epochs = epochs.startAt(offset);
        aborted.removeIf(transaction -> transaction.lastOffset() < offset);
        publish(offset, logEndOffset(), sizeBytes() - removed);
        return new RetentionResult(0, removed);
    }

    @Override
    public List<SegmentInfo> segments() {
        LogOffsets now = offsets;
        long maxTimestampMs = RecordBatch.NO_TIMESTAMP;
        for (ByteBuffer batch : batches.values()) {
            maxTimestampMs = Math.max(maxTimestampMs, header(batch).maxTimestampMs());
        }
        return List.of(
                new SegmentInfo(now.logStartOffset(), now.logEndOffset(), now.sizeBytes(), maxTimestampMs, true));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void removeConsumed(ConsumedRecords consumed) {
        // Its memory is bounded, and goes when it is consumed from the beginning on.
    }

    @Override
    public void delete() {
        closed = true;
        batches.clear();
        held = 0;
        publish(logEndOffset(), logEndOffset(), 0);
    }

    private void publish(long start, long end, long bytes) {
        // What was appended was taken before.
        long taken = bytes + (long) held * BATCH_OVERHEAD_BYTES;
        if (taken < takenBytes) {
            memory.give(takenBytes - taken);
            takenBytes = taken;
        }
        offsets = new LogOffsets(start, end, producers.lastStableOffset(start, end), end, epochs.latestEpoch(), bytes);
    }

    private void notifyLater() {
        if (!notificationPending) {
            notificationPending = true;
            executor.execute(this::onExecutor);
        }
    }

    private void onExecutor() {
        notificationPending = false;
        if (!closed) {
            listener.onSynced(syncedOffset());
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new LogClosedException(this + " is closed");
        }
    }

    /** A header of its own for each call, since reads come from any thread. */
    private static BatchHeader header(ByteBuffer batch) {
        return new BatchHeader().wrap(batch, 0);
    }

    @Override
    public String toString() {
        return role == LogRole.DATA ? partition.toString() : partition + "/cursors";
    }
}
