package io.millrace.log;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The log of one partition on this node: record batches at contiguous offsets, from the log start offset to the log end offset.
 *
 * <p>Threads: everything runs on the shard that owns the partition, except what says "from any thread". Nothing here blocks on the disk
 * itself; appends go to the page cache, and {@link #requestSync} has the directory's syncer make them durable, which the log's
 * {@link SyncListener} hears about on the shard. {@link #truncateTo}, {@link #restartAt}, {@link #close} and {@link #delete} are the
 * exceptions: they force, and are for rare moments.
 *
 * <p>Written is not synced: {@link #append} returns when the records are in the page cache and can be read. Whether they may be shown to
 * anybody, or answered for, is the caller's decision (high watermark).
 */
public interface PartitionLog extends AutoCloseable {
    PartitionId partition();

    LogRole role();

    /** Identity of the named log that this is a partition of, as in {@code partition.metadata}. */
    UUID logId();

    LogConfig config();

    /** Changes segment, retention and flush settings from now on. */
    void reconfigure(LogConfig config);

    /**
     * Appends the batches between the buffer's position and limit, all or none.
     *
     * <p>Checks checksums, counts, sizes, leader epoch and producer sequence; sets base offset and leader epoch in place (and the largest
     * timestamp where a client's header is wrong), so the buffer must be writable and is the log's until this returns. Its position is not
     * moved.
     *
     * @param batches whole batches of format 2, back to back; at least one
     * @param leaderEpoch epoch under which the caller leads, or of the leader that it replicates from; 0 or more
     * @param origin who wrote the batches
     * @throws io.millrace.wire.record.CorruptBatchException and the other {@code RecordFormatException}s, if a batch is damaged or breaks a rule
     * @throws DiskFullException if there is no space; the log is as before and goes on
     * @throws DirectoryReadOnlyException if a write failed now or earlier
     */
    AppendResult append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin);

    /**
     * Reads whole batches, the first of which holds {@code offset}; it may have no record left. From any thread.
     *
     * @param offset first offset wanted; the first batch may start below it
     * @param maxBytes most bytes to return; one batch is returned even if it is larger
     * @param endOffsetExclusive no batch that reaches this offset is returned (the high watermark, as a rule)
     * @return the batches, empty if none is complete below {@code endOffsetExclusive}
     * @throws OffsetOutOfRangeException if the offset is below the log start or above the log end
     * @throws LogDamagedException if what is on disk is not what was written
     * @throws StorageReadException if the disk does not answer
     */
    LogSlice read(long offset, int maxBytes, long endOffsetExclusive);

    /**
     * Finds the batches that {@link #read} would return, without reading them: where they are in which file. But it begins behind batches without
     * records if something follows them, as clients want it. For {@code sendfile}; the caller
     * closes what it gets. From any thread.
     *
     * <p>Damage is not served: the checksums, offsets and epochs of batches that were on disk when the log was opened are verified the first
     * time that somebody asks for them, which reads them once; what this process wrote itself, or verified before, is believed from then on.
     * (What goes bad on the disk after that, and is read anew from it, is found by the receiver's check of the checksum.) Besides that only
     * headers are read, a few kilobytes.
     *
     * @param offset first offset wanted; the first batch may start below it
     * @param maxBytes most bytes; one batch is included even if it is larger
     * @param endOffsetExclusive no batch that reaches this offset is included (the high watermark, as a rule)
     * @return the batches; empty if none is complete below {@code endOffsetExclusive}, or if the log has no files (then {@link #read} tells)
     * @throws OffsetOutOfRangeException if the offset is below the log start or above the log end
     * @throws LogDamagedException if what is on disk is not what was written
     * @throws StorageReadException if the disk does not answer
     */
    Optional<FileSlice> slice(long offset, int maxBytes, long endOffsetExclusive);

    /**
     * The first record that has this timestamp or a later one, or empty if all are earlier. From any thread.
     *
     * @param timestampMs milliseconds since 1970
     */
    Optional<TimestampedOffset> offsetForTimestamp(long timestampMs);

    /** The first record of those that have the largest timestamp, or empty if no record has one. From any thread. */
    Optional<TimestampedOffset> offsetOfMaxTimestamp();

    /**
     * The aborted transactions that readers of committed data need to know, in the order of their markers. From any thread.
     *
     * @param fromOffset where the reader begins
     * @param endOffsetExclusive where it ends, at most the last stable offset
     * @return those with a record, or the marker, within these offsets
     * @throws StorageReadException if the disk does not answer
     */
    List<AbortedTransaction> abortedTransactions(long fromOffset, long endOffsetExclusive);

    /** The transactions that have not ended, the one that began first in front. */
    List<OpenTransaction> openTransactions();

    /** The epoch of the records of the transaction that a producer has open, or -1 if it has none. */
    short openTransactionEpoch(long producerId);

    /** The producers that are remembered, the one that was idle for longest first. */
    List<ActiveProducer> activeProducers();

    /**
     * The time of a record as its batch tells it: the latest of the batch. Reads a header and no records, and believes it unverified: for
     * people, not for decisions. From any thread.
     *
     * @param offset of a record
     * @return milliseconds since 1970, or empty if there is no such record, or no more
     * @throws StorageReadException if the disk does not answer
     */
    OptionalLong batchTimestampAt(long offset);

    /** Where the log stands, as last published. From any thread. */
    LogOffsets offsets();

    /** First offset that is still there. From any thread. */
    default long logStartOffset() {
        return offsets().logStartOffset();
    }

    /** Offset of the next record. From any thread. */
    default long logEndOffset() {
        return offsets().logEndOffset();
    }

    /** First offset that is not known to be durable. From any thread. */
    default long syncedOffset() {
        return offsets().syncedOffset();
    }

    /** First offset that is not decided: where the oldest open transaction begins, or else the log end. From any thread. */
    default long lastStableOffset() {
        return offsets().lastStableOffset();
    }

    /** Bytes of all segments. From any thread. */
    default long sizeBytes() {
        return offsets().sizeBytes();
    }

    /** Latest leader epoch, of records or of {@link #beginEpoch}, or -1. From any thread. */
    default int latestEpoch() {
        return offsets().latestEpoch();
    }

    /**
     * Where an epoch ends in this log: the basis on which a follower finds what it has in common with its leader.
     *
     * @return the largest epoch not above {@code epoch} and its end, or empty if the log has none such
     */
    Optional<EpochEnd> epochEndOffset(int epoch);

    /**
     * Notes that a leader begins at the log end, before its first record. Does nothing if the epoch is known. An epoch without a record is not
     * written to the disk: ten thousand partitions get one at each start.
     *
     * @return false if the log has seen a newer epoch
     */
    boolean beginEpoch(int leaderEpoch);

    /**
     * Asks for everything appended so far to be made durable with the next round of the directory's syncer. Records of a
     * {@link FlushPolicy#ACK} log for which nobody asks are synced within {@link LogConfig#flushMaxDelayMs} anyway.
     */
    void requestSync();

    /**
     * Has everything appended so far made durable with the next round that another log of the directory asks for, and asks for none itself. Without effect
     * on a {@link FlushPolicy#OS} log.
     */
    void syncAlong();

    /** Begins a new segment, unless the current one is empty. */
    void roll();

    /**
     * Cuts off everything at and above {@code offset}; batches that reach it go whole. Offsets may be used again afterwards. Durable when it
     * returns.
     *
     * @param offset at or above the log start offset; nothing happens if it is above the log end; at the log end, only an
     *     epoch is forgotten that began there and has no record
     */
    void truncateTo(long offset);

    /** Throws everything away and goes on, empty, at {@code offset}: for a replica whose log is replaced by a snapshot. Durable on return. */
    void restartAt(long offset);

    /**
     * Makes {@code offset} the first one that can be read, and removes the segments that lie below it as a whole (except the active one: to
     * free that too, {@link #roll} first). Kept over restarts, though after a crash it may be found a little lower again.
     *
     * @param offset at most the log end; nothing happens if it is not above the current log start
     * @return what was removed
     */
    RetentionResult advanceLogStart(long offset);

    /**
     * Removes the oldest segments that are over the retention by time or size, rolls an active segment that is over the roll time, and
     * forgets producers that were idle too long. To be called every {@code log.retention.check.interval.ms}.
     *
     * @param nowMs wall clock
     * @param earliestNeededOffset nothing at or above it is removed, whatever its age; {@link Long#MAX_VALUE} if nobody needs anything
     */
    RetentionResult retain(long nowMs, long earliestNeededOffset);

    /**
     * Has the cleaner take records out of this log, wherever in it, once they were consumed; see {@link LogCleaner}. Logs that are not in files
     * ignore that.
     */
    void removeConsumed(ConsumedRecords consumed);

    /** The segments, oldest first. From any thread. */
    List<SegmentInfo> segments();

    /** Forces everything, leaves files from which the next start is quick, and gives up all files. Closing again does nothing. */
    @Override
    void close();

    /** Closes the log and removes its files, those of a data log together with the partition's cursor log. */
    void delete();
}
