package io.millrace.coordinator.quorum;

import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.EpochEnd;
import io.millrace.log.LogSlice;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordFormatException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.raft.Isolation;
import org.apache.kafka.raft.LogAppendInfo;
import org.apache.kafka.raft.LogFetchInfo;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.raft.ValidOffsetAndEpoch;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RawSnapshotReader;
import org.apache.kafka.snapshot.RawSnapshotWriter;

/**
 * What Kafka's Raft core asks of a log, on a partition of our log engine and the snapshots beside it.
 *
 * <p><b>A leader's append returns when it is on disk.</b> The Raft core moves the high watermark before it calls {@link #flush}, so a group
 * of one would commit what a power cut can still take back, and a leader of three would count itself among the two that have a record.
 *
 * <p>The two newest snapshots are kept, and the log from the older one on: a member that is a little behind gets records, not a snapshot.
 * So {@code earliest snapshot = log start} whenever the log does not start at 0, which the Raft core relies on.
 *
 * <p>Epochs are tracked here, not by {@link PartitionLog#beginEpoch}: an epoch of which no record was written must not outlive the process,
 * since a follower reports the epoch of its last record. Confined to the quorum's thread.
 */
final class MetadataLog implements RaftLog {

    static final TopicPartition TOPIC_PARTITION = new TopicPartition("__cluster_metadata", 0);

    private static final int MAX_READ_BYTES = 8 << 20;
    private static final int SNAPSHOTS_KEPT = 2;
    /** Within a batch of format 2. */
    private static final int LENGTH_POSITION = 8;

    private static final int LEADER_EPOCH_POSITION = 12;
    private static final int OVERHEAD_BYTES = 12;
    private static final int MIN_BATCH_BYTES = 61;

    private final PartitionLog log;
    private final LogCallbacks callbacks;
    private final SnapshotFiles snapshots;
    /** First offset of each epoch. */
    private final TreeMap<Integer, Long> epochs = new TreeMap<>();

    private LogOffsetMetadata highWatermark;

    /**
     * Takes over a log that was opened, and brings it and the snapshots to where a crash should have left them.
     *
     * @throws QuorumStorageException if snapshot and log do not fit together
     */
    MetadataLog(PartitionLog log, LogCallbacks callbacks, SnapshotFiles snapshots) {
        this.log = log;
        this.callbacks = callbacks;
        this.snapshots = snapshots;
        rebuildEpochs();
        // A crash between the download of a snapshot and the restart of the log behind it.
        truncateToLatestSnapshot();
        if (log.logStartOffset() > 0) {
            startAtEarliestSnapshot();
        }
        highWatermark = new LogOffsetMetadata(startOffset());
    }

    /** After a crash the log's start may be found a little lower again, and snapshots that were on their way out may be left. */
    private void startAtEarliestSnapshot() {
        OffsetAndEpoch earliest = snapshots.ids().stream()
                .filter(id -> id.offset() >= log.logStartOffset() && id.offset() <= log.logEndOffset())
                .findFirst()
                .orElseThrow(() -> new QuorumStorageException("the metadata log has the offsets " + log.logStartOffset()
                        + " to " + log.logEndOffset() + ", but there is no snapshot of what was before, only "
                        + snapshots.ids() + "; restore the missing .checkpoint file"));
        log.advanceLogStart(earliest.offset());
        forgetEpochsBefore(earliest);
        snapshots.removeBefore(earliest);
    }

    /** Walks from the newest epoch down: each ends where the one before the last answer begins. */
    private void rebuildEpochs() {
        int epoch = log.latestEpoch();
        while (epoch >= 0) {
            Optional<EpochEnd> before = epoch == 0 ? Optional.empty() : log.epochEndOffset(epoch - 1);
            epochs.put(epoch, before.map(EpochEnd::endOffset).orElse(log.logStartOffset()));
            epoch = before.map(EpochEnd::epoch).orElse(-1);
        }
    }

    // ---- append -----------------------------------------------------------------------------------------------------

    @Override
    public LogAppendInfo appendAsLeader(Records records, int epoch) {
        LogAppendInfo appended = append(buffer(records), epoch);
        callbacks.sync(log);
        return appended;
    }

    @Override
    public LogAppendInfo appendAsFollower(Records records, int epoch) {
        ByteBuffer batches = buffer(records);
        int usable = usableBytes(batches, epoch);
        if (usable == 0) {
            throw new CorruptRecordException("no whole batch of epoch " + epoch + " or lower in " + batches.remaining()
                    + " bytes fetched at offset " + log.logEndOffset());
        }
        return append(batches.limit(batches.position() + usable), epoch);
    }

    private LogAppendInfo append(ByteBuffer batches, int epoch) {
        AppendResult result;
        long first = log.logEndOffset();
        try {
            result = log.append(batches, epoch, AppendOrigin.REPLICATION);
        } catch (RecordFormatException e) {
            throw new CorruptRecordException("at offset " + first + ": " + e.getMessage(), e);
        }
        if (!(result instanceof AppendResult.Appended)) {
            throw new QuorumStorageException("the metadata log, at " + log.offsets()
                    + ", does not take batches of epoch " + epoch + ": " + result);
        }
        rememberEpochs(batches);
        return new LogAppendInfo(first, log.logEndOffset() - 1);
    }

    private void rememberEpochs(ByteBuffer batches) {
        for (int at = batches.position(); at < batches.limit(); at += sizeAt(batches, at)) {
            int epoch = batches.getInt(at + LEADER_EPOCH_POSITION);
            if (epochs.isEmpty() || epoch > epochs.lastKey()) {
                epochs.put(epoch, batches.getLong(at));
            }
        }
    }

    /** Bytes of the whole batches in front whose epoch is at most {@code epoch}: a newer one was not written by the leader asked. */
    private static int usableBytes(ByteBuffer batches, int epoch) {
        int at = batches.position();
        while (batches.limit() - at >= MIN_BATCH_BYTES
                && sizeAt(batches, at) >= MIN_BATCH_BYTES
                && sizeAt(batches, at) <= batches.limit() - at
                && batches.getInt(at + LEADER_EPOCH_POSITION) <= epoch) {
            at += sizeAt(batches, at);
        }
        return at - batches.position();
    }

    private static int sizeAt(ByteBuffer batches, int at) {
        return OVERHEAD_BYTES + batches.getInt(at + LENGTH_POSITION);
    }

    private static ByteBuffer buffer(Records records) {
        if (records.sizeInBytes() == 0) {
            throw new IllegalArgumentException("nothing to append");
        }
        return ((MemoryRecords) records).buffer().duplicate();
    }

    @Override
    public void flush(boolean forceFlushActiveSegment) {
        callbacks.sync(log);
    }

    // ---- read -------------------------------------------------------------------------------------------------------

    @Override
    public LogFetchInfo read(long startOffset, Isolation isolation, int maxBytes) {
        long end = isolation == Isolation.COMMITTED ? highWatermark.offset() : log.logEndOffset();
        if (startOffset < startOffset() || startOffset > log.logEndOffset()) {
            throw new OffsetOutOfRangeException(
                    "offset " + startOffset + " is not within " + startOffset() + " to " + log.logEndOffset());
        }
        if (startOffset >= end) {
            return new LogFetchInfo(MemoryRecords.EMPTY, new LogOffsetMetadata(startOffset));
        }
        LogSlice slice = log.read(startOffset, Math.min(maxBytes, MAX_READ_BYTES), end);
        return new LogFetchInfo(
                MemoryRecords.readableRecords(slice.batches()), new LogOffsetMetadata(slice.firstOffset()));
    }

    @Override
    public LogOffsetMetadata endOffset() {
        return new LogOffsetMetadata(log.logEndOffset());
    }

    @Override
    public long startOffset() {
        return log.logStartOffset();
    }

    @Override
    public LogOffsetMetadata highWatermark() {
        return highWatermark;
    }

    @Override
    public void updateHighWatermark(LogOffsetMetadata newHighWatermark) {
        if (newHighWatermark.offset() < highWatermark.offset() || newHighWatermark.offset() > log.logEndOffset()) {
            throw new IllegalArgumentException("the high watermark cannot go from " + highWatermark.offset() + " to "
                    + newHighWatermark.offset() + " in a log that ends at " + log.logEndOffset());
        }
        highWatermark = newHighWatermark;
    }

    // ---- epochs -----------------------------------------------------------------------------------------------------

    @Override
    public int lastFetchedEpoch() {
        return epochs.isEmpty() ? snapshots.latest().map(OffsetAndEpoch::epoch).orElse(0) : epochs.lastKey();
    }

    @Override
    public OffsetAndEpoch endOffsetForEpoch(int epoch) {
        int below = snapshots.earliest().map(OffsetAndEpoch::epoch).orElse(0);
        for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
            if (entry.getKey() > epoch) {
                return new OffsetAndEpoch(entry.getValue(), below);
            }
            below = entry.getKey();
        }
        return new OffsetAndEpoch(log.logEndOffset(), lastFetchedEpoch());
    }

    @Override
    public void initializeLeaderEpoch(int epoch) {
        epochs.tailMap(epoch, true).clear();
        epochs.values().removeIf(start -> start >= log.logEndOffset());
        epochs.put(epoch, log.logEndOffset());
    }

    // ---- truncation -------------------------------------------------------------------------------------------------

    @Override
    public void truncateTo(long offset) {
        if (offset < highWatermark.offset()) {
            throw new IllegalArgumentException("committed records cannot be cut off: truncation to " + offset
                    + ", high watermark " + highWatermark.offset());
        }
        log.truncateTo(offset);
        // Also where nothing is cut: an epoch that began at the end without a record may be another leader's now.
        epochs.values().removeIf(start -> start >= log.logEndOffset());
    }

    @Override
    public boolean truncateToLatestSnapshot() {
        Optional<OffsetAndEpoch> latest = snapshots.latest();
        if (latest.isEmpty() || contains(latest.get())) {
            return false;
        }
        log.restartAt(latest.get().offset());
        epochs.clear();
        snapshots.removeBefore(latest.get());
        highWatermark = new LogOffsetMetadata(latest.get().offset());
        return true;
    }

    /** Says whether the log goes on from a snapshot: has what it contains, or was restarted behind it. */
    private boolean contains(OffsetAndEpoch id) {
        if (epochs.isEmpty()) {
            return snapshots.ids().size() == 1
                    && id.offset() == log.logStartOffset()
                    && id.offset() == log.logEndOffset();
        }
        int lastEpoch = epochs.lastKey();
        return id.epoch() < lastEpoch || (id.epoch() == lastEpoch && id.offset() <= log.logEndOffset());
    }

    @Override
    public boolean deleteBeforeSnapshot(OffsetAndEpoch id) {
        if (!snapshots.ids().contains(id) || id.offset() <= startOffset() || id.offset() > highWatermark.offset()) {
            return false;
        }
        log.advanceLogStart(id.offset());
        forgetEpochsBefore(id);
        snapshots.removeBefore(id);
        return true;
    }

    private void forgetEpochsBefore(OffsetAndEpoch id) {
        Integer first = epochs.floorKey(id.epoch());
        if (first != null) {
            epochs.headMap(first, false).clear();
            epochs.merge(first, id.offset(), Math::max);
        }
    }

    @Override
    public boolean maybeClean() {
        if (snapshots.ids().size() <= SNAPSHOTS_KEPT) {
            return false;
        }
        OffsetAndEpoch oldestKept = snapshots.ids().last();
        for (int i = 1; i < SNAPSHOTS_KEPT; i++) {
            OffsetAndEpoch before = snapshots.ids().lower(oldestKept);
            oldestKept = before == null ? oldestKept : before;
        }
        return deleteBeforeSnapshot(oldestKept);
    }

    // ---- snapshots --------------------------------------------------------------------------------------------------

    @Override
    public Optional<RawSnapshotWriter> createNewSnapshot(OffsetAndEpoch id) {
        if (id.offset() < startOffset()) {
            return Optional.empty();
        }
        if (id.offset() > highWatermark.offset()) {
            throw new IllegalArgumentException(
                    "a snapshot at " + id + " would contain more than is committed, " + highWatermark.offset());
        }
        ValidOffsetAndEpoch known = validateOffsetAndEpoch(id.offset(), id.epoch());
        if (known.kind() != ValidOffsetAndEpoch.Kind.VALID) {
            throw new IllegalArgumentException("a snapshot at " + id + " is not in this log: " + known);
        }
        if (id.offset() < log.logEndOffset()
                && log.read(id.offset(), 1, log.logEndOffset()).firstOffset() != id.offset()) {
            throw new IllegalArgumentException("a snapshot at " + id + " would end within a batch");
        }
        return createNewSnapshotUnchecked(id);
    }

    @Override
    public Optional<RawSnapshotWriter> createNewSnapshotUnchecked(OffsetAndEpoch id) {
        if (snapshots.ids().contains(id)) {
            return Optional.empty();
        }
        return Optional.of(snapshots.write(id, () -> onSnapshotFrozen(id)));
    }

    /** The next segment begins here, so that a later snapshot frees whole segments. */
    @Override
    public void onSnapshotFrozen(OffsetAndEpoch id) {
        if (id.offset() <= log.logEndOffset()) {
            log.roll();
            maybeClean();
        }
    }

    @Override
    public Optional<RawSnapshotReader> readSnapshot(OffsetAndEpoch id) {
        return snapshots.read(id);
    }

    @Override
    public Optional<RawSnapshotReader> latestSnapshot() {
        return latestSnapshotId().flatMap(this::readSnapshot);
    }

    @Override
    public Optional<OffsetAndEpoch> latestSnapshotId() {
        return snapshots.latest();
    }

    @Override
    public Optional<OffsetAndEpoch> earliestSnapshotId() {
        return snapshots.earliest();
    }

    // ---- identity and end -------------------------------------------------------------------------------------------

    @Override
    public TopicPartition topicPartition() {
        return TOPIC_PARTITION;
    }

    @Override
    public Uuid topicId() {
        return Uuid.METADATA_TOPIC_ID;
    }

    @Override
    public void close() {
        log.close();
    }
}
