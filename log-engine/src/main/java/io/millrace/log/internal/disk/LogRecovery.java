package io.millrace.log.internal.disk;

import io.millrace.log.LogConfig;
import io.millrace.log.StartKind;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.Damage;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.segment.SegmentRecovery;
import io.millrace.log.internal.segment.SegmentRecovery.Trust;
import io.millrace.log.internal.segment.SegmentScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens a log that is on disk. What lies below the synced offset is durable, and anything wrong there is damage, which ends the recovery.
 * What lies above may have been lost in part: it is looked at batch by batch, and cut at the first one that is not whole.
 *
 * <p>Reading begins where something is not known otherwise: at the synced offset, at the newest producer snapshot, or at the last entry of
 * the index, whichever is lowest. After a clean close that is the last entry of the index, a few kilobytes before the end.
 */
final class LogRecovery {
    private final FileCache cache;
    private final Path directory;
    private final LogConfig config;
    private final StartKind startKind;
    private final Optional<LogCheckpoint> recorded;
    private final long nowMs;

    private final List<Segment> segments = new ArrayList<>();
    private final ProducerStates producers;
    private final SnapshotFiles snapshots;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private boolean cut;

    /**
     * @param recorded what is known of the log
     */
    LogRecovery(
            FileCache cache,
            Path directory,
            LogConfig config,
            StartKind startKind,
            Optional<LogCheckpoint> recorded,
            long nowMs) {
        this.cache = cache;
        this.directory = directory;
        this.config = config;
        this.startKind = startKind;
        this.recorded = recorded;
        this.nowMs = nowMs;
        this.producers = new ProducerStates(config.maxProducers());
        this.snapshots = new SnapshotFiles(directory);
    }

    /**
     * @throws io.millrace.log.LogDamagedException if something is wrong below the synced offset
     */
    RecoveredLog run() throws IOException {
        NavigableSet<Long> bases = lookAtFiles();
        Optional<EpochHistory> checkpoint = EpochCheckpoint.read(directory.resolve(SegmentNames.EPOCH_CHECKPOINT));
        long recordedStart = start(checkpoint, bases);
        removeBelow(recordedStart, bases);
        checkBeginning(recordedStart, bases.first());
        SyncedPoint synced = syncedPoint(bases);
        // Later ones may be from before a cut that was followed by other records: the batches themselves tell.
        epochs = withEarlier(checkpoint.orElse(EpochHistory.EMPTY).upTo(synced.offset()), bases);
        snapshots.restore(producers, bases.first(), synced.offset(), nowMs);
        snapshots.deleteAbove(synced.offset());
        // Every record has an epoch: where none is known, the batches themselves tell.
        long replayFrom = Math.min(producers.endOffset(), epochs.entries().isEmpty() ? bases.first() : Long.MAX_VALUE);
        openSegments(bases, synced, replayFrom);
        if (cut) {
            DurableFiles.forceDirectory(directory);
        }
        long end = segments.getLast().nextOffset();
        if (end < durableOffset()) {
            throw Damage.of(
                    segments.getLast().log().path(),
                    segments.getLast().sizeBytes(),
                    "the log ends here, at offset " + end + ", and everything below offset " + durableOffset()
                            + " was synced");
        }
        long start = Math.min(end, Math.max(recordedStart, segments.getFirst().baseOffset()));
        return new RecoveredLog(
                List.copyOf(segments),
                start,
                start < recordedStart,
                synced,
                epochs,
                checkpoint.orElse(EpochHistory.EMPTY).equals(epochs),
                areNamesDurable(),
                producers,
                snapshots);
    }

    /** A sync makes the names durable up to the segment that it ends in. */
    private boolean areNamesDurable() {
        long last = segments.getLast().baseOffset();
        return startKind == StartKind.CLEAN
                || recorded.map(checkpoint -> checkpoint.synced().segmentBaseOffset() == last)
                        .orElse(false);
    }

    /** What lies below was put there by a replay of the commit journal, if it was not synced before. */
    private long durableOffset() {
        return recorded.map(LogCheckpoint::durableOffset).orElse(0L);
    }

    /**
     * Where the log starts. Every record has an epoch, so what lies before the first epoch was removed; and the epochs are written before the
     * table, in the same round that says so. They count where the table knows of nothing synced yet: what lies between may be torn. Below the
     * synced offset everything is whole, and a later first epoch is none to remove anything for: nothing protects that file from damage.
     */
    private long start(Optional<EpochHistory> checkpoint, NavigableSet<Long> bases) {
        long firstOfEpochs = checkpoint
                .filter(history -> !history.entries().isEmpty())
                .map(history -> history.entries().getFirst().startOffset())
                .orElse(0L);
        long start = recorded.map(LogCheckpoint::logStartOffset).orElse(firstOfEpochs);
        return firstOfEpochs > syncedOffset() && bases.contains(firstOfEpochs) ? Math.max(start, firstOfEpochs) : start;
    }

    private long syncedOffset() {
        return recorded.map(known -> known.synced().offset()).orElse(0L);
    }

    /** Segments are removed only once it is durable that the log starts behind them. */
    private void checkBeginning(long start, long firstBase) {
        if (recorded.isPresent() && start < firstBase && start < syncedOffset()) {
            throw Damage.of(
                    SegmentNames.file(directory, start, SegmentNames.LOG),
                    "the segment is missing that holds the offsets " + start + ".." + (firstBase - 1)
                            + ", which were synced");
        }
    }

    /**
     * The epochs may have been written for a later start, of which the table does not know yet, or be damaged: for what lies before the first
     * one, the batches tell.
     */
    private EpochHistory withEarlier(EpochHistory known, NavigableSet<Long> bases) throws IOException {
        if (known.entries().isEmpty() || known.entries().getFirst().startOffset() <= bases.first()) {
            return known;
        }
        long first = known.entries().getFirst().startOffset();
        EpochHistory[] all = {EpochHistory.EMPTY};
        for (Long base : bases.headSet(first)) {
            LogFile file = new LogFile(cache, SegmentNames.file(directory, base, SegmentNames.LOG));
            SegmentScanner.Result scanned = new SegmentScanner(file)
                    .scan(0, Math.toIntExact(file.sizeBytes()), base, 0, (header, position, marker) -> {
                        if (header.baseOffset() < first) {
                            all[0] = all[0].with(header.leaderEpoch(), header.baseOffset());
                        }
                        return header.nextOffset() < first;
                    });
            file.close();
            if (scanned.problem() != null && scanned.nextOffset() < first) {
                throw Damage.of(file.path(), scanned.endPosition(), scanned.problem());
            }
        }
        for (EpochHistory.Entry entry : known.entries()) {
            all[0] = all[0].with(entry.epoch(), entry.startOffset());
        }
        return all[0];
    }

    /**
     * Removes the segments that were removed before already, in whole or in part. They may never have been synced, and may be torn, so nothing
     * may be concluded from them.
     */
    private void removeBelow(long offset, NavigableSet<Long> bases) throws IOException {
        for (Long next = bases.higher(bases.first()); next != null && next <= offset; next = bases.higher(next)) {
            Segment.remove(cache, directory, Objects.requireNonNull(bases.pollFirst()));
        }
    }

    /** Finds the segments and snapshots, and removes what belongs to none. */
    private NavigableSet<Long> lookAtFiles() throws IOException {
        new ExchangeRecovery(cache, directory).run();
        NavigableSet<Long> bases = new TreeSet<>();
        List<Path> files = DurableFiles.list(directory);
        for (Path file : files) {
            SegmentNames.offsetOf(file, SegmentNames.LOG).ifPresent(bases::add);
            SegmentNames.offsetOf(file, SegmentNames.PRODUCER_SNAPSHOT).ifPresent(snapshots::found);
        }
        for (Path file : files) {
            boolean orphan =
                    List.of(SegmentNames.OFFSET_INDEX, SegmentNames.TIME_INDEX, SegmentNames.TRANSACTION_INDEX).stream()
                            .map(suffix -> SegmentNames.offsetOf(file, suffix))
                            .anyMatch(offset -> offset.isPresent() && !bases.contains(offset.getAsLong()));
            if (orphan || DurableFiles.name(file).endsWith(DurableFiles.TEMPORARY_SUFFIX)) {
                Files.deleteIfExists(file);
            }
        }
        if (bases.isEmpty()) {
            long offset = durableOffset();
            if (offset > 0) {
                throw Damage.of(
                        directory, "it has no segment at all, and everything below offset " + offset + " was synced");
            }
            Segment.create(cache, directory, 0).close();
            bases.add(0L);
            cut = true;
        }
        return bases;
    }

    /** How far the log is durable, in terms of the segments that are there. */
    private SyncedPoint syncedPoint(NavigableSet<Long> bases) {
        SyncedPoint point = recorded.map(LogCheckpoint::synced).orElse(SyncedPoint.beginningOf(bases.first()));
        if (point.offset() <= bases.first()) {
            // Everything that was synced has been removed since.
            return SyncedPoint.beginningOf(bases.first());
        }
        Long floor = bases.floor(point.offset());
        if (floor != null && floor == point.offset()) {
            return SyncedPoint.beginningOf(floor);
        }
        if (floor == null || floor != point.segmentBaseOffset()) {
            throw Damage.of(
                    SegmentNames.file(directory, point.segmentBaseOffset(), SegmentNames.LOG),
                    "it is missing, and should hold the offsets up to " + (point.offset() - 1) + ", which were synced");
        }
        return point;
    }

    private void openSegments(NavigableSet<Long> bases, SyncedPoint synced, long replayFrom) throws IOException {
        SegmentRecovery recovery =
                new SegmentRecovery(cache, directory, config.indexIntervalBytes(), startKind == StartKind.KILLED);
        boolean checkEnds = startKind != StartKind.CLEAN;
        long epochsKnownUpTo = epochs.entries().isEmpty() ? 0 : synced.offset();
        long firstReplayed = floorOrFirst(bases, Math.min(replayFrom, synced.offset()));
        for (Long base : bases) {
            Long next = bases.higher(base);
            if (!segments.isEmpty() && segments.getLast().nextOffset() != base) {
                removeUnreachable(bases, base, synced);
                return;
            }
            if (next != null && next <= synced.offset() && base < firstReplayed) {
                segments.add(recovery.openSealed(base, next, checkEnds));
                continue;
            }
            Segment segment = recovery.openUnsealed(
                    base,
                    trust(base, next, synced),
                    Math.max(base, replayFrom),
                    producers.endOffset(),
                    durableOffset(),
                    (header, position, marker) -> {
                        replayEpoch(base, position, header, epochsKnownUpTo);
                        return header.baseOffset() < producers.endOffset()
                                ? Optional.empty()
                                : producers.onAppended(header, marker, nowMs);
                    });
            segments.add(segment);
            if (next != null && next == segment.nextOffset()) {
                segment.seal();
                if (producers.endOffset() == next && next > synced.offset()) {
                    snapshots.write(producers);
                }
            }
            forceAgain(segment, synced);
        }
    }

    /** What was durable, and was gone through once more, has indexes that were made anew: as durable as before, before anything relies on it. */
    private static void forceAgain(Segment segment, SyncedPoint synced) throws IOException {
        if (segment.isSealed() && segment.nextOffset() <= synced.offset()) {
            segment.forceAll();
        } else if (segment.baseOffset() < synced.offset()) {
            segment.forceAborted();
        }
    }

    /** What was synced has the epochs that were synced with it; what follows brings its own. */
    private void replayEpoch(long base, int position, BatchHeader header, long knownUpTo) {
        if (header.lastOffset() >= knownUpTo) {
            epochs = epochs.with(header.leaderEpoch(), header.baseOffset());
        } else if (header.leaderEpoch() != epochs.epochAt(header.lastOffset())) {
            throw Damage.of(
                    SegmentNames.file(directory, base, SegmentNames.LOG),
                    position,
                    "the batch with offsets " + header.baseOffset() + ".." + header.lastOffset() + " has leader epoch "
                            + header.leaderEpoch() + ", and was written in epoch "
                            + epochs.epochAt(header.lastOffset()));
        }
    }

    private static long floorOrFirst(NavigableSet<Long> bases, long offset) {
        Long floor = bases.floor(offset);
        return floor == null ? bases.first() : floor;
    }

    private static Trust trust(long base, @Nullable Long next, SyncedPoint synced) {
        if (next != null && next <= synced.offset()) {
            return Trust.whole(next);
        }
        return base < synced.offset() ? new Trust(synced.offset(), synced.position()) : Trust.none(base);
    }

    /** Removes segments that do not continue the log: those before them were cut, or their own content never reached the disk. */
    private void removeUnreachable(NavigableSet<Long> bases, long from, SyncedPoint synced) throws IOException {
        long durable = Math.max(synced.offset(), durableOffset());
        if (from <= durable) {
            throw Damage.of(
                    SegmentNames.file(directory, from, SegmentNames.LOG),
                    0,
                    "the segment before it ends before offset "
                            + segments.getLast().nextOffset() + ", and everything below offset " + durable
                            + " was synced");
        }
        for (Long base : bases.tailSet(from)) {
            Segment.remove(cache, directory, base);
        }
        snapshots.deleteAbove(segments.getLast().nextOffset());
        cut = true;
    }
}
