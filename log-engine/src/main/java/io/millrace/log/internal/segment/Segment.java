package io.millrace.log.internal.segment;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogConfig;
import io.millrace.log.SegmentInfo;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stretch of a log: batches from a base offset on, in a {@code .log} file, with the indexes that find them. The last segment of a log is
 * active, that is, appended to; the others are sealed and never change.
 *
 * <p>An append {@link #write}s the bytes, {@link #index}es each batch, then {@link #advance}s: only that makes them part of the segment. What
 * a failed write leaves behind the end is overwritten by the next one.
 */
public final class Segment {
    private final long baseOffset;
    private final SegmentFiles files;
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private final TransactionIndex transactions;

    private volatile int sizeBytes;
    private volatile long nextOffset;
    private volatile long maxTimestampMs;
    private volatile boolean sealed;

    /** From here on, this process wrote or verified everything. */
    private volatile int knownFrom;

    /** What was verified below that. */
    private final VerifiedRanges verified = new VerifiedRanges();

    /** Number of records, or -1 while they were not counted. */
    private volatile long records = -1;

    /** Whether all files of a sealed segment are durable. */
    private volatile boolean forced;

    // The writer's own.
    private long offsetOfMaxTimestamp;
    private int bytesSinceIndexEntry;
    private long beganMs = -1;

    Segment(long baseOffset, SegmentFiles files, OffsetIndex offsets, TimeIndex times, TransactionIndex transactions) {
        this.baseOffset = baseOffset;
        this.files = files;
        this.offsets = offsets;
        this.times = times;
        this.transactions = transactions;
        this.nextOffset = baseOffset;
        this.maxTimestampMs = times.lastTimestampMs();
        this.offsetOfMaxTimestamp = baseOffset;
    }

    /** Creates the files of a new active segment; their names are durable once the directory is forced. */
    public static Segment create(FileCache cache, Path directory, long baseOffset) throws IOException {
        // Left from a segment of the same base that was cut off, or from a creation that failed.
        SegmentFiles.of(cache, directory, baseOffset).delete();
        SegmentFiles files = SegmentFiles.of(cache, directory, baseOffset);
        files.createMissingIndexes();
        files.log().create();
        return new Segment(
                baseOffset,
                files,
                OffsetIndex.empty(files.offsets(), baseOffset),
                TimeIndex.empty(files.times(), baseOffset),
                new TransactionIndex(files.transactions()));
    }

    /** Creates a segment that is to be put in the place of others: {@link SegmentNames#CLEANED} until it is. */
    public static Segment createCleaned(FileCache cache, Path directory, long baseOffset) throws IOException {
        SegmentFiles files = SegmentFiles.of(cache, directory, baseOffset, SegmentNames.CLEANED);
        files.delete();
        SegmentFiles fresh = SegmentFiles.of(cache, directory, baseOffset, SegmentNames.CLEANED);
        fresh.createMissingIndexes();
        fresh.log().create();
        return new Segment(
                baseOffset,
                fresh,
                OffsetIndex.empty(fresh.offsets(), baseOffset),
                TimeIndex.empty(fresh.times(), baseOffset),
                new TransactionIndex(fresh.transactions()));
    }

    /** Removes the files of a segment that is not open. */
    public static void remove(FileCache cache, Path directory, long baseOffset) throws IOException {
        SegmentFiles.of(cache, directory, baseOffset).delete();
    }

    public long baseOffset() {
        return baseOffset;
    }

    /** Offset after the last record. */
    public long nextOffset() {
        return nextOffset;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** Number of records, as far as that is known: of one that was not rewritten since the log was opened, the number of offsets. */
    public long records() {
        long known = records;
        return known >= 0 ? known : nextOffset - baseOffset;
    }

    /** They were counted, and there are so many. The segment is sealed, or about to be. */
    public void records(long count) {
        records = count;
    }

    /** Largest timestamp of a record, or -1. */
    public long maxTimestampMs() {
        return maxTimestampMs;
    }

    public boolean isSealed() {
        return sealed;
    }

    /** Whether a stretch of the file was written by this process, or verified by it since it began. */
    boolean isVerified(int from, int to) {
        int known = knownFrom;
        return from >= known || verified.covers(from, Math.min(to, known));
    }

    /** A stretch of the file, of whole batches, was found undamaged. */
    void onVerified(int from, int to) {
        verified.add(from, to);
    }

    public LogFile log() {
        return files.log();
    }

    OffsetIndex offsets() {
        return offsets;
    }

    TimeIndex times() {
        return times;
    }

    TransactionIndex transactions() {
        return transactions;
    }

    public SegmentInfo info() {
        return new SegmentInfo(baseOffset, nextOffset, sizeBytes, maxTimestampMs, !sealed);
    }

    // ---- writing ------------------------------------------------------------------------------------------------

    /**
     * Whether the segment must end before an append.
     *
     * @param bytes size of the append
     * @param lastOffset last offset of the append
     * @param nowMs wall clock
     */
    public boolean mustRollBefore(int bytes, long lastOffset, LogConfig config, long nowMs) throws IOException {
        return sizeBytes > 0
                && ((long) sizeBytes + bytes > config.segmentBytes()
                        || lastOffset - baseOffset > Integer.MAX_VALUE
                        || offsets.isFull(config.indexMaxBytes())
                        || times.isFull(config.indexMaxBytes())
                        || isOld(config.rollAfterMs(baseOffset), nowMs));
    }

    /** Whether the segment holds something and was begun longer ago than that. */
    public boolean isOld(long rollMs, long nowMs) throws IOException {
        return sizeBytes > 0 && nowMs - beganMs(nowMs) >= rollMs;
    }

    /** When it was begun, by the wall clock; for one from before the last start, the time of its first batch must do. */
    private long beganMs(long nowMs) throws IOException {
        if (beganMs < 0) {
            ByteBuffer first = ByteBuffer.allocate(RecordBatch.HEADER_SIZE);
            boolean read = log().read(first, 0) == RecordBatch.HEADER_SIZE;
            long timestampMs = read ? new BatchHeader().wrap(first, 0).maxTimestampMs() : -1;
            beganMs = timestampMs >= 0 && timestampMs <= nowMs ? timestampMs : nowMs;
        }
        return beganMs;
    }

    /** Writes bytes behind the end. They do not count until {@link #advance}. */
    public void write(ByteBuffer batches) throws IOException {
        log().write(batches, sizeBytes);
    }

    /** Notes where a batch is that was written. */
    public void index(BatchHeader header, int position, int intervalBytes) {
        if (header.maxTimestampMs() > maxTimestampMs) {
            maxTimestampMs = header.maxTimestampMs();
            offsetOfMaxTimestamp = header.lastOffset();
        }
        if (bytesSinceIndexEntry > intervalBytes) {
            offsets.append(header.lastOffset(), position);
            times.maybeAppend(maxTimestampMs, offsetOfMaxTimestamp);
            bytesSinceIndexEntry = 0;
        }
        bytesSinceIndexEntry += header.sizeBytes();
    }

    /** Makes written batches part of the segment. */
    public void advance(int newSizeBytes, long newNextOffset, long nowMs) {
        if (sizeBytes == 0) {
            beganMs = nowMs;
        }
        nextOffset = newNextOffset;
        sizeBytes = newSizeBytes;
    }

    /**
     * Adds the aborted transactions that have a record within a range of offsets, as far as their marker is in this segment.
     *
     * @return whether no later segment can have more of them
     */
    public boolean addAbortedTo(List<AbortedTransaction> result, long fromOffset, long endOffsetExclusive)
            throws IOException {
        for (AbortedTransaction aborted : transactions.all()) {
            if (aborted.lastOffset() >= fromOffset && aborted.firstOffset() < endOffsetExclusive) {
                result.add(aborted);
            }
            if (aborted.lastStableOffset() >= endOffsetExclusive) {
                return true;
            }
        }
        return false;
    }

    /** The aborted transactions whose marker is in this segment. */
    public List<AbortedTransaction> aborted() throws IOException {
        return transactions.all();
    }

    public void addAborted(AbortedTransaction aborted) throws IOException {
        transactions.append(aborted);
    }

    /** Has the index name these and no others, in the order of their markers. */
    public void replaceAborted(List<AbortedTransaction> all) throws IOException {
        transactions.truncateTo(0);
        for (AbortedTransaction aborted : all) {
            transactions.append(aborted);
        }
    }

    /** Whether enough index entries are in memory only to be worth {@link #writeIndexes}. */
    public boolean hasManyUnwrittenIndexEntries() {
        return offsets.hasManyUnwritten();
    }

    /** Writes the index entries that are in memory only. */
    public void writeIndexes() throws IOException {
        offsets.write();
        times.write();
    }

    /** Makes the index files complete: as {@link #writeIndexes}, with an entry for the end of the time index. */
    public void completeIndexes() throws IOException {
        times.maybeAppend(maxTimestampMs, offsetOfMaxTimestamp);
        writeIndexes();
    }

    /** Ends the segment: it will not change any more. If this fails, it goes on as the active one. */
    public void seal() throws IOException {
        completeIndexes();
        offsets.seal();
        times.seal();
        sealed = true;
    }

    /**
     * Where a segment is cut: a batch begins there, or the file ends.
     *
     * @param offset base offset of that batch
     * @param position where it begins
     */
    public record Cut(long offset, int position) {}

    /**
     * Where all batches that reach an offset begin.
     *
     * @param offset at or above the base offset
     */
    public Cut cutAt(long offset) throws IOException {
        if (offset >= nextOffset) {
            return new Cut(nextOffset, sizeBytes);
        }
        int[] cutPosition = {0};
        long[] cutOffset = {baseOffset};
        SegmentScanner.Result scanned = new SegmentScanner(log())
                .scan(
                        offsets.floorPosition(offset),
                        sizeBytes,
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (header, position, marker) -> {
                            cutPosition[0] = position;
                            cutOffset[0] = header.baseOffset();
                            return header.nextOffset() <= offset;
                        });
        if (scanned.problem() != null) {
            throw Damage.of(log().path(), scanned.endPosition(), scanned.problem());
        }
        return new Cut(cutOffset[0], cutPosition[0]);
    }

    /** Cuts the segment, and makes it the active one. */
    public void truncate(Cut cut) throws IOException {
        sealed = false;
        forced = false;
        offsets.truncateTo(cut.offset());
        times.truncateTo(cut.offset());
        transactions.truncateTo(cut.offset());
        nextOffset = cut.offset();
        sizeBytes = cut.position();
        knownFrom = Math.min(knownFrom, cut.position());
        verified.cut(cut.position());
        log().truncate(cut.position());
        bytesSinceIndexEntry = 0;
        findMaxTimestamp();
    }

    /** After a cut: the time index has the largest timestamp up to its last entry, the batches after that are looked at. */
    private void findMaxTimestamp() throws IOException {
        maxTimestampMs = times.lastTimestampMs();
        offsetOfMaxTimestamp = times.count() == 0 ? baseOffset : times.offset(times.count() - 1);
        new SegmentScanner(log())
                .scan(
                        offsets.lastPositionUpTo(sizeBytes),
                        sizeBytes,
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (header, position, marker) -> {
                            if (header.maxTimestampMs() > maxTimestampMs) {
                                maxTimestampMs = header.maxTimestampMs();
                                offsetOfMaxTimestamp = header.lastOffset();
                            }
                            return true;
                        });
    }

    // ---- recovery, syncing, removal -----------------------------------------------------------------------------

    /** Takes over a part of the files that needs no look at each batch. */
    void resume(int knownSizeBytes, long knownNextOffset) throws IOException {
        sizeBytes = knownSizeBytes;
        knownFrom = knownSizeBytes;
        nextOffset = knownNextOffset;
        maxTimestampMs = times.lastTimestampMs();
        offsetOfMaxTimestamp = times.count() == 0 ? baseOffset : times.offset(times.count() - 1);
    }

    /** Takes over a segment that was sealed, and made durable, before the last start. */
    void resumeSealed(int knownSizeBytes, long knownNextOffset) throws IOException {
        resume(knownSizeBytes, knownNextOffset);
        sealed = true;
        forced = true;
    }

    /** Takes over a batch that is in the file. */
    void recover(BatchHeader header, int position, int intervalBytes) {
        index(header, position, intervalBytes);
        nextOffset = header.nextOffset();
        sizeBytes = position + header.sizeBytes();
    }

    /** Makes a sealed segment durable. */
    public void forceAll() throws IOException {
        for (LogFile file : filesToForce()) {
            file.force();
        }
        onForced();
    }

    /** Renames all files but the one that is the segment. */
    public void moveIndexes(String suffix) throws IOException {
        files.moveIndexes(directory(), baseOffset, suffix);
    }

    /** Renames the file that is the segment. */
    public void moveLog(String suffix) throws IOException {
        log().moveTo(SegmentNames.file(directory(), baseOffset, SegmentNames.LOG + suffix));
    }

    private Path directory() {
        return Objects.requireNonNull(log().path().getParent(), "a segment is in the directory of its log");
    }

    /** The files that must be durable for everything in the segment to be. */
    public List<LogFile> filesToForce() {
        List<LogFile> result = new ArrayList<>(4);
        if (!forced) {
            result.add(files.log());
            if (!transactions.isEmpty()) {
                result.add(files.transactions());
            }
            if (sealed) {
                result.add(files.offsets());
                result.add(files.times());
            }
        }
        return result;
    }

    /**
     * The index whose loss would go unnoticed at the next start: entries that are missing from the offset index are found missing, but how
     * late the records are is known from the time index alone.
     */
    public LogFile timeIndexFile() {
        return files.times();
    }

    /** Walks all batches, without verifying them. */
    public void replay(SegmentScanner.Visitor visitor) throws IOException {
        SegmentScanner.Result scanned =
                new SegmentScanner(log()).scan(0, sizeBytes, baseOffset, Integer.MAX_VALUE, visitor);
        if (scanned.problem() != null) {
            throw Damage.of(log().path(), scanned.endPosition(), scanned.problem());
        }
    }

    /** Makes the index of aborted transactions durable, if there is one. */
    public void forceAborted() throws IOException {
        if (!transactions.isEmpty()) {
            transactions.file().force();
        }
    }

    /** Whether everything in it is durable for ever. */
    public boolean isForced() {
        return forced;
    }

    /** All files are durable; only for a segment that was sealed before the force began. On the shard. */
    public void onForced() {
        forced = true;
    }

    /** Keeps the log file open until {@link #unpinIfPinned}. */
    public void pin() {
        log().pin();
    }

    /** Answers whether it was pinned. */
    public boolean unpinIfPinned() {
        boolean pinned = log().isPinned();
        log().unpin();
        return pinned;
    }

    public void close() throws IOException {
        files.close();
    }

    public void delete() throws IOException {
        files.delete();
    }

    @Override
    public String toString() {
        return files.log().toString();
    }
}
