package io.millrace.log.internal.segment;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the segments of a log that was on disk, and makes good what a crash left of them: indexes are rebuilt, a torn tail is cut. */
public final class SegmentRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRecovery.class);

    private final FileCache cache;
    private final Path directory;
    private final int indexIntervalBytes;
    private final boolean everythingWrittenIsThere;

    /**
     * @param everythingWrittenIsThere whether the machine went on when the log was left, so that only the last write can be incomplete
     */
    public SegmentRecovery(FileCache cache, Path directory, int indexIntervalBytes, boolean everythingWrittenIsThere) {
        this.everythingWrittenIsThere = everythingWrittenIsThere;
        this.cache = cache;
        this.directory = directory;
        this.indexIntervalBytes = indexIntervalBytes;
    }

    /** Sees the batches that are looked at, so that what follows from them is rebuilt. */
    public interface Replay {
        /**
         * A batch.
         *
         * @param position where it is in its segment's file
         * @param marker the end of a transaction that it is, else {@code null}
         * @return the transaction that it aborted, if any
         */
        Optional<AbortedTransaction> onBatch(BatchHeader header, int position, @Nullable EndTransactionMarker marker);
    }

    /**
     * What is known of a segment before it is looked at.
     *
     * @param offset everything below it is durable, so anything wrong there is damage
     * @param position where that offset is in the file
     */
    public record Trust(long offset, int position) {
        private static final int END_OF_FILE = -1;

        /** All of it is durable, and a segment with this base offset follows. */
        public static Trust whole(long nextBaseOffset) {
            return new Trust(nextBaseOffset, END_OF_FILE);
        }

        private Trust within(int sizeBytes) {
            return position == END_OF_FILE ? new Trust(offset, sizeBytes) : this;
        }

        /** Nothing is known to be durable. */
        public static Trust none(long baseOffset) {
            return new Trust(baseOffset, 0);
        }
    }

    /**
     * Opens a segment that was sealed and made durable.
     *
     * @param nextBaseOffset base offset of the segment that follows
     * @param checkEnd whether to look if its last batches are there, and are what the indexes lead to expect
     * @throws io.millrace.log.LogDamagedException if it does not reach to the next one
     */
    public Segment openSealed(long baseOffset, long nextBaseOffset, boolean checkEnd) throws IOException {
        SegmentFiles files = SegmentFiles.of(cache, directory, baseOffset);
        int size = Math.toIntExact(files.log().sizeBytes());
        TransactionIndex transactions = new TransactionIndex(files.transactions());
        transactions.load();
        if (hasUsableIndexes(files, baseOffset, nextBaseOffset, size)) {
            Segment segment = new Segment(
                    baseOffset,
                    files,
                    OffsetIndex.sealed(files.offsets(), baseOffset, count(files.offsets(), OffsetIndex.ENTRY_BYTES)),
                    TimeIndex.sealed(files.times(), baseOffset, count(files.times(), TimeIndex.ENTRY_BYTES)),
                    transactions);
            segment.resumeSealed(size, nextBaseOffset);
            if (!checkEnd || endsAt(segment, nextBaseOffset)) {
                return segment;
            }
        }
        LOG.atInfo()
                .addKeyValue("event", "index_rebuilt")
                .addKeyValue("file", files.log())
                .log("Rebuilding the indexes, which are not usable");
        return rebuild(files, baseOffset, nextBaseOffset, size, transactions);
    }

    private static int count(LogFile file, int entryBytes) throws IOException {
        return Math.toIntExact(file.sizeBytes() / entryBytes);
    }

    private static boolean hasUsableIndexes(SegmentFiles files, long baseOffset, long nextBaseOffset, int size)
            throws IOException {
        if (!files.offsets().exists() || !files.times().exists()) {
            return false;
        }
        long offsetsSize = files.offsets().sizeBytes();
        long timesSize = files.times().sizeBytes();
        if (offsetsSize % OffsetIndex.ENTRY_BYTES != 0
                || timesSize % TimeIndex.ENTRY_BYTES != 0
                || Math.max(offsetsSize, timesSize) > Integer.MAX_VALUE) {
            return false;
        }
        int offsetCount = (int) (offsetsSize / OffsetIndex.ENTRY_BYTES);
        OffsetIndex offsets = OffsetIndex.sealed(files.offsets(), baseOffset, offsetCount);
        boolean offsetsFit = offsetCount == 0
                || (isBetween(offsets.lastOffset(offsetCount - 1), baseOffset, nextBaseOffset)
                        && isBetween(offsets.position(offsetCount - 1), 0, size));
        int timeCount = (int) (timesSize / TimeIndex.ENTRY_BYTES);
        TimeIndex times = TimeIndex.sealed(files.times(), baseOffset, timeCount);
        boolean timesFit = timeCount == 0 || isBetween(times.offset(timeCount - 1), baseOffset, nextBaseOffset);
        return offsetsFit && timesFit;
    }

    private static boolean isBetween(long value, long from, long toExclusive) {
        return value >= from && value < toExclusive;
    }

    /**
     * Whether the batches after the last index entry lead to the next segment, are few enough to need no further entry, and have no later
     * timestamp than the time index knows.
     */
    private boolean endsAt(Segment segment, long nextOffset) throws IOException {
        int from = segment.offsets().lastPositionUpTo(segment.sizeBytes());
        boolean[] fits = {true};
        SegmentScanner.Result scanned = new SegmentScanner(segment.log())
                .scan(
                        from,
                        segment.sizeBytes(),
                        SegmentScanner.ANY_OFFSET,
                        Integer.MAX_VALUE,
                        (header, position, marker) -> {
                            boolean indexed = position == from || position - from <= indexIntervalBytes;
                            fits[0] &= indexed
                                    && header.maxTimestampMs()
                                            <= segment.times().lastTimestampMs();
                            return fits[0];
                        });
        return fits[0] && scanned.problem() == null && scanned.nextOffset() == nextOffset;
    }

    private Segment rebuild(
            SegmentFiles files, long baseOffset, long nextBaseOffset, int size, TransactionIndex transactions)
            throws IOException {
        files.createMissingIndexes();
        OffsetIndex offsets = OffsetIndex.empty(files.offsets(), baseOffset);
        TimeIndex times = TimeIndex.empty(files.times(), baseOffset);
        offsets.clear();
        times.clear();
        Segment segment = new Segment(baseOffset, files, offsets, times, transactions);
        SegmentScanner.Result scanned = new SegmentScanner(files.log())
                .scan(0, size, baseOffset, 0, (header, position, marker) -> {
                    segment.recover(header, position, indexIntervalBytes);
                    return true;
                });
        if (scanned.problem() != null) {
            throw Damage.of(files.log().path(), scanned.endPosition(), scanned.problem());
        }
        if (segment.nextOffset() != nextBaseOffset) {
            throw Damage.of(
                    files.log().path(),
                    size,
                    "it ends before offset " + segment.nextOffset() + ", and the next segment begins at offset "
                            + nextBaseOffset);
        }
        segment.seal();
        // Syncs force a log's end only, up to the last segment that is forced: nobody would come back to this one.
        segment.forceAll();
        return segment;
    }

    /**
     * Opens a segment of which not everything is known to be durable, and looks at what is not, from a point before it on that the index or
     * {@code replayFrom} asks for. What follows the last good batch is cut off, if it is above the trusted part.
     *
     * @param replayFrom offset from which on the replay must see every batch
     * @param abortedUpTo offset below which the replay does not say what was aborted, so that the index has to be believed
     * @param durableOffset everything below it is known to be in the log, so nothing may be cut off there
     * @return the segment, active
     * @throws io.millrace.log.LogDamagedException if the trusted part is not whole
     */
    public Segment openUnsealed(
            long baseOffset, Trust known, long replayFrom, long abortedUpTo, long durableOffset, Replay replay)
            throws IOException {
        SegmentFiles files = SegmentFiles.of(cache, directory, baseOffset);
        files.createMissingIndexes();
        int size = (int) Math.min(files.log().sizeBytes(), Integer.MAX_VALUE);
        Trust trust = known.within(size);
        if (size < trust.position()) {
            throw Damage.of(
                    files.log().path(),
                    size,
                    "it ends here, and was synced up to position " + trust.position() + " (offset " + trust.offset()
                            + ")");
        }
        OffsetIndex offsets = OffsetIndex.load(files.offsets(), baseOffset);
        TimeIndex times = TimeIndex.load(files.times(), baseOffset);
        TransactionIndex transactions = new TransactionIndex(files.transactions());
        transactions.load();
        Segment.Cut from = scanStart(files, baseOffset, offsets, times, trust, replayFrom);
        offsets.truncateTo(from.offset());
        times.truncateTo(from.offset());
        transactions.truncateTo(Math.max(from.offset(), abortedUpTo));
        Segment segment = new Segment(baseOffset, files, offsets, times, transactions);
        segment.resume(from.position(), from.offset());
        SegmentScanner.Result scanned = new SegmentScanner(files.log())
                .scan(from.position(), size, from.offset(), from.position(), (header, position, marker) -> {
                    checkAgainst(trust, files, header, position);
                    segment.recover(header, position, indexIntervalBytes);
                    Optional<AbortedTransaction> aborted = replay.onBatch(header, position, marker);
                    if (aborted.isPresent()) {
                        segment.addAborted(aborted.get());
                    }
                    return true;
                });
        if (scanned.endPosition() < size && scanned.nextOffset() < durableOffset) {
            throw Damage.of(
                    files.log().path(),
                    scanned.endPosition(),
                    (scanned.problem() == null ? "it ends here" : scanned.problem()) + ", at offset "
                            + scanned.nextOffset() + ", and everything below offset " + durableOffset
                            + " was synced");
        }
        cutTail(segment, scanned, trust, size);
        return segment;
    }

    /** A batch from which on everything is looked at, with the indexes cut to what can be believed of them. */
    private static Segment.Cut scanStart(
            SegmentFiles files, long baseOffset, OffsetIndex offsets, TimeIndex times, Trust trust, long replayFrom)
            throws IOException {
        offsets.keepValid(trust.offset(), trust.position());
        times.keepValid(trust.offset());
        // The entry for the batch before the wanted offset, since an entry names the last offset of its batch.
        Optional<OffsetIndex.Entry> entry = offsets.floor(Math.min(trust.offset(), replayFrom) - 1);
        if (entry.isEmpty()) {
            return new Segment.Cut(baseOffset, 0);
        }
        int position = entry.get().position();
        ByteBuffer bytes = ByteBuffer.allocate(RecordBatch.HEADER_SIZE);
        boolean read = files.log().read(bytes, position) == RecordBatch.HEADER_SIZE;
        BatchHeader header = new BatchHeader().wrap(bytes, 0);
        if (read && header.isPlausible() && header.lastOffset() == entry.get().lastOffset()) {
            return new Segment.Cut(header.baseOffset(), position);
        }
        LOG.atInfo()
                .addKeyValue("event", "index_rebuilt")
                .addKeyValue("file", files.log())
                .log("Rebuilding the indexes: an entry does not point to its batch");
        return new Segment.Cut(baseOffset, 0);
    }

    private static void checkAgainst(Trust trust, SegmentFiles files, BatchHeader header, int position) {
        boolean spans = position < trust.position() && position + header.sizeBytes() > trust.position();
        boolean differs = position == trust.position() && header.baseOffset() != trust.offset();
        if (spans || differs) {
            throw Damage.of(
                    files.log().path(),
                    position,
                    "the batch with offsets " + header.baseOffset() + ".." + header.lastOffset()
                            + " is not the one that was synced: offset " + trust.offset() + " was at position "
                            + trust.position());
        }
    }

    private void cutTail(Segment segment, SegmentScanner.Result scanned, Trust trust, int size) throws IOException {
        Path path = segment.log().path();
        if (scanned.endPosition() < trust.position()) {
            throw Damage.of(
                    path,
                    scanned.endPosition(),
                    (scanned.problem() == null ? "it ends here" : scanned.problem())
                            + ", and everything up to position " + trust.position() + " (offset " + trust.offset()
                            + ") was synced");
        }
        if (scanned.nextOffset() < trust.offset()) {
            throw Damage.of(
                    path,
                    scanned.endPosition(),
                    "offset " + scanned.nextOffset() + " is here, and " + trust.offset() + " was synced");
        }
        if (scanned.endPosition() < size) {
            refuseDamage(segment.log(), scanned, size);
            LOG.atInfo()
                    .addKeyValue("event", "recovery_cut")
                    .addKeyValue("file", path)
                    .addKeyValue("bytes", size - scanned.endPosition())
                    .addKeyValue("nextOffset", scanned.nextOffset())
                    .addKeyValue("problem", scanned.problem())
                    .log("Cutting the tail, which was not synced and is no whole batch");
            segment.log().truncate(scanned.endPosition());
            segment.log().force();
        }
    }

    /** A power cut may take any of the unsynced sectors. Without one, a bad batch that is followed by a whole one is no torn tail. */
    private void refuseDamage(LogFile log, SegmentScanner.Result scanned, int size) throws IOException {
        if (everythingWrittenIsThere) {
            Optional<BatchFinder.Found> later = new BatchFinder(log, size)
                    .next(scanned.endPosition() + 1, scanned.nextOffset() + 1, Long.MAX_VALUE);
            if (later.isPresent()) {
                throw Damage.of(
                        log.path(),
                        scanned.endPosition(),
                        scanned.problem() + ", and a whole batch with offset "
                                + later.get().baseOffset() + " follows at position "
                                + later.get().position());
            }
        }
    }
}
