package io.millrace.log.internal.verify;

import io.millrace.log.LogDamagedException;
import io.millrace.log.StoredLog;
import io.millrace.log.VerifyReport.Finding;
import io.millrace.log.VerifyReport.Severity;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerSnapshot;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.segment.SegmentScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Checks one log: every batch, and everything that was derived from them. */
public final class LogCheck {
    private final FileCache cache;
    private final StoredLog log;
    private final Optional<SyncedOffsets> table;
    private final List<Finding> findings = new ArrayList<>();
    private Optional<EpochHistory> epochs = Optional.empty();
    private long syncedOffset;
    private int segments;
    private long batches;
    private long bytes;

    /**
     * @param table what the directory knows of synced offsets
     */
    public LogCheck(FileCache cache, StoredLog log, Optional<SyncedOffsets> table) {
        this.cache = cache;
        this.log = log;
        this.table = table;
    }

    public List<Finding> findings() {
        return findings;
    }

    public int segments() {
        return segments;
    }

    public long batches() {
        return batches;
    }

    public long bytes() {
        return bytes;
    }

    /** Checks everything; what is wrong is in {@link #findings} then. */
    public void run() throws IOException {
        findSynced();
        checkEpochs();
        NavigableSet<Long> bases = new TreeSet<>();
        for (Path file : DurableFiles.list(log.directory())) {
            SegmentNames.offsetOf(file, SegmentNames.LOG).ifPresent(bases::add);
            if (SegmentNames.offsetOf(file, SegmentNames.PRODUCER_SNAPSHOT).isPresent()
                    && !ProducerSnapshot.isValid(ByteBuffer.wrap(Files.readAllBytes(file)))) {
                add(Severity.REPAIRABLE, file, 0, OptionalLong.empty(), "this snapshot of producers is damaged");
            }
        }
        long end = -1;
        for (Long base : bases) {
            if (end >= 0 && base != end) {
                Severity severity = base <= syncedOffset ? Severity.DAMAGE : Severity.REPAIRABLE;
                add(
                        severity,
                        SegmentNames.file(log.directory(), base, SegmentNames.LOG),
                        0,
                        OptionalLong.of(end),
                        "the segment begins at offset " + base + ", and the one before it ends at offset " + end);
            }
            end = checkSegment(base);
        }
        if (end < syncedOffset) {
            add(
                    Severity.DAMAGE,
                    log.directory(),
                    0,
                    OptionalLong.of(Math.max(0, end)),
                    "the log ends here, and everything below offset " + syncedOffset + " was synced");
        }
    }

    private void findSynced() {
        LogKey key = new LogKey(log.logId(), log.partition().partition(), log.role());
        try {
            syncedOffset = table.flatMap(known -> known.find(key))
                    .map(checkpoint -> checkpoint.synced().offset())
                    .orElse(0L);
        } catch (LogDamagedException e) {
            add(Severity.DAMAGE, log.directory(), 0, OptionalLong.empty(), String.valueOf(e.getMessage()));
        }
    }

    private void checkEpochs() throws IOException {
        Path file = log.directory().resolve(SegmentNames.EPOCH_CHECKPOINT);
        epochs = EpochCheckpoint.read(file);
        if (epochs.isEmpty() && Files.exists(file)) {
            add(Severity.REPAIRABLE, file, 0, OptionalLong.empty(), "the epochs are unreadable");
        }
    }

    /** Answers the offset after the last good batch. */
    private long checkSegment(long base) throws IOException {
        segments++;
        LogFile file = new LogFile(cache, SegmentNames.file(log.directory(), base, SegmentNames.LOG));
        int size = Math.toIntExact(file.sizeBytes());
        bytes += size;
        IndexCheck indexes = new IndexCheck(cache, log.directory(), base);
        indexes.load();
        SegmentScanner.Result scanned = new SegmentScanner(file).scan(0, size, base, 0, (header, position, marker) -> {
            batches++;
            checkEpoch(file.path(), header, position);
            indexes.onBatch(header, position);
            return true;
        });
        file.close();
        if (scanned.problem() != null) {
            boolean damage = scanned.nextOffset() < syncedOffset;
            add(
                    damage ? Severity.DAMAGE : Severity.REPAIRABLE,
                    file.path(),
                    scanned.endPosition(),
                    OptionalLong.of(scanned.nextOffset()),
                    scanned.problem() + (damage ? "" : "; it was not synced yet, and the next start cuts it off"));
        }
        indexes.finish(scanned.problem() == null);
        indexes.problems()
                .forEach((path, problem) -> add(
                        Severity.REPAIRABLE,
                        path,
                        0,
                        OptionalLong.empty(),
                        problem + "; remove the file, and the next start makes a new one"));
        return scanned.nextOffset();
    }

    private void checkEpoch(Path file, BatchHeader header, int position) {
        boolean known = epochs.isPresent() && !epochs.get().entries().isEmpty() && header.lastOffset() < syncedOffset;
        if (known && epochs.get().epochAt(header.lastOffset()) != header.leaderEpoch()) {
            add(
                    Severity.DAMAGE,
                    file,
                    position,
                    OptionalLong.of(header.baseOffset()),
                    "the batch has leader epoch " + header.leaderEpoch() + ", and was written in epoch "
                            + epochs.get().epochAt(header.lastOffset()));
        }
    }

    private void add(Severity severity, Path file, long position, OptionalLong offset, String message) {
        findings.add(new Finding(severity, file, position, offset.orElse(-1), message));
    }
}
