package io.millrace.log.internal.verify;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogRole;
import io.millrace.log.StoredLog;
import io.millrace.log.VerifyReport.Finding;
import io.millrace.log.VerifyReport.Severity;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerSnapshot;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.segment.SegmentScanner;
import io.millrace.log.internal.segment.TransactionIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Looks at every file of one log, and decides what is wrong, what it costs, and how it can be mended. Changes nothing; {@link LogMending}
 * does what is planned here.
 */
final class LogSurvey {
    private final FileCache cache;
    private final StoredLog log;
    private final Optional<LogCheckpoint> recorded;
    private final boolean unknown;
    private final boolean killed;
    private final Journaled journaled;

    private final List<Finding> findings = new ArrayList<>();
    private final List<SegmentPlan> plans = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<Path> worthless = new ArrayList<>();
    private final List<Long> unreachable = new ArrayList<>();
    private final EpochSurvey epochs;
    private final ProducerStates producers = new ProducerStates(Integer.MAX_VALUE);
    private boolean compacted;
    private boolean everyBatchWasSeen = true;
    private long startOfEpochs;
    private boolean hopeless;
    private long batches;
    private long bytes;

    /**
     * Offsets whose records are gone.
     *
     * @param firstOffset the first one
     * @param endOffset the one after the last, or {@link SegmentSurvey#NOTHING_FOLLOWS} if it is not known how many there were
     */
    record Loss(long firstOffset, long endOffset) {
        @Override
        public String toString() {
            return endOffset == SegmentSurvey.NOTHING_FOLLOWS
                    ? "offsets from " + firstOffset + " on"
                    : endOffset - firstOffset == 1
                            ? "offset " + firstOffset
                            : "offsets " + firstOffset + ".." + (endOffset - 1);
        }
    }

    /**
     * @param recorded what the directory knows of the log
     * @param unknown whether the directory should know more than it does, so that everything in the files counts as synced
     * @param killed whether the process that wrote the log was killed on a machine that went on, so that every written byte is there
     * @param journaled what the commit journal holds of it, which the next start puts into the files before it looks at them
     */
    LogSurvey(
            FileCache cache,
            StoredLog log,
            Optional<LogCheckpoint> recorded,
            boolean unknown,
            boolean killed,
            Journaled journaled)
            throws IOException {
        this.cache = cache;
        this.log = log;
        this.recorded = recorded;
        this.unknown = unknown;
        this.killed = killed;
        this.journaled = journaled;
        this.epochs = EpochSurvey.read(log.directory(), isUnknown() ? Long.MAX_VALUE : syncedOffset());
    }

    StoredLog log() {
        return log;
    }

    List<Finding> findings() {
        return findings;
    }

    /** What is planned for each segment that stays, oldest first. */
    List<SegmentPlan> plans() {
        return plans;
    }

    List<Loss> losses() {
        return losses;
    }

    /** Files that are made anew from others. */
    List<Path> worthless() {
        return worthless;
    }

    /** Base offsets of segments that do not continue the log, and were never synced. */
    List<Long> unreachable() {
        return unreachable;
    }

    EpochSurvey epochs() {
        return epochs;
    }

    /** Whether the segments contradict each other in a way that only a person can decide. */
    boolean isHopeless() {
        return hopeless;
    }

    boolean isUnknown() {
        return unknown;
    }

    int segments() {
        return plans.size() + unreachable.size();
    }

    long batches() {
        return batches;
    }

    long bytes() {
        return bytes;
    }

    long syncedOffset() {
        return recorded.map(known -> known.synced().offset()).orElse(0L);
    }

    long startOffset() {
        return Math.max(
                startOfEpochs, recorded.map(LogCheckpoint::logStartOffset).orElse(0L));
    }

    /** Looks at everything. */
    void run() throws IOException {
        checkIdentity();
        NavigableMap<Long, Path> files = segmentFiles();
        everyBatchWasSeen = !files.isEmpty() && files.firstKey() == 0;
        long end = -1;
        for (Map.Entry<Long, Path> entry : files.entrySet()) {
            long base = entry.getKey();
            if (!unreachable.isEmpty()) {
                unreachable.add(base);
                continue;
            }
            Long next = files.higherKey(base);
            end = end < 0 ? firstSegment(base, entry.getValue()) : continues(end, base, entry.getValue());
            if (hopeless || !unreachable.isEmpty()) {
                continue;
            }
            end = survey(entry.getValue(), base, next == null ? Long.MAX_VALUE : next);
        }
        checkEnd(end);
        epochs.decide(this::add);
    }

    private void checkIdentity() throws IOException {
        Path file = PartitionMetadata.file(log.directory());
        if (!Files.exists(file) || !DurableFiles.readText(file).strip().equals(PartitionMetadata.encode(log.logId()))) {
            add(Severity.NEEDS_REPAIR, file, 0, -1, "it does not say that this is log " + log.logId(), Remedy.REPAIR);
        }
    }

    private NavigableMap<Long, Path> segmentFiles() throws IOException {
        NavigableMap<Long, Path> files = new TreeMap<>();
        NavigableMap<Long, Path> swaps = new TreeMap<>();
        for (Path file : DurableFiles.list(log.directory())) {
            SegmentNames.offsetOf(file, SegmentNames.LOG).ifPresent(base -> files.put(base, file));
            OptionalLong exchanged = SegmentNames.offsetOf(file, SegmentNames.LOG + SegmentNames.SWAP);
            if (exchanged.isPresent()) {
                swaps.put(exchanged.getAsLong(), file);
            }
            if (SegmentNames.offsetOf(file, SegmentNames.PRODUCER_SNAPSHOT).isPresent()
                    && !ProducerSnapshot.isValid(ByteBuffer.wrap(Files.readAllBytes(file)))) {
                worthless.add(file);
                add(Severity.REPAIRABLE, file, 0, -1, "this snapshot of producers is damaged", Remedy.START);
            }
        }
        swaps.forEach((base, file) -> exchange(base, file, files));
        // As in a start: the epochs know of it before the table does.
        long first = epochs.firstOffset();
        startOfEpochs = !unknown && first > syncedOffset() && files.containsKey(first) ? first : 0;
        // Removed before, in whole or in part; the next start finishes that.
        while (files.size() > 1 && files.higherKey(files.firstKey()) <= startOffset()) {
            files.pollFirstEntry();
        }
        return files;
    }

    /** A segment that was to replace others when the broker ended counts in their place: the next start finishes that. */
    private void exchange(long base, Path file, NavigableMap<Long, Path> files) {
        try {
            LogFile log = new LogFile(cache, file);
            long end = new SegmentScanner(log)
                    .scan(0, Math.toIntExact(log.sizeBytes()), base, 0, (header, position, marker) -> true)
                    .nextOffset();
            log.close();
            files.subMap(base, Math.max(base + 1, end)).clear();
            files.put(base, file);
            add(
                    Severity.REPAIRABLE,
                    file,
                    0,
                    base,
                    "the exchange of segments for this one was interrupted",
                    Remedy.START);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long firstSegment(long base, Path file) {
        if (base > startOffset() && startOffset() < syncedOffset()) {
            lose(startOffset(), base, file, 0, "the log begins here, and should begin at offset " + startOffset());
        }
        return base;
    }

    private long continues(long end, long base, Path file) {
        if (base > end && journaled.reach(end) >= base) {
            addMissing(end, base, file, "the segment begins here, and the one before it ends at offset " + end);
        } else if (base < end) {
            hopeless = true;
            add(
                    Severity.DAMAGE,
                    file,
                    0,
                    base,
                    "the segment begins at offset " + base + ", and the one before it ends at offset " + end,
                    "restore the directory from a replica or a backup, or move away the file that does not belong here");
        } else if (base > end && end < syncedOffset()) {
            plans.getLast().fillTo(base);
            lose(end, base, file, 0, "the segment begins here, and the one before it ends at offset " + end);
        } else if (base > end && isUnknown()) {
            plans.getLast().fillTo(base);
            lose(end, base, file, 0, "the segment begins here, and the one before it ends at offset " + end);
        } else if (base > end) {
            unreachable.add(base);
            add(
                    Severity.REPAIRABLE,
                    file,
                    0,
                    base,
                    "the segment begins here, and the one before it ends at offset " + end
                            + ", where nothing was synced",
                    Remedy.START);
        }
        return base;
    }

    /** Answers the offset at which the segment ends, as planned. */
    private long survey(Path path, long base, long limitOffset) throws IOException {
        SegmentSurvey survey = new SegmentSurvey(new LogFile(cache, path), base, limitOffset);
        IndexCheck indexes = new IndexCheck(cache, log.directory(), base);
        indexes.load();
        List<AbortedTransaction> aborted = new ArrayList<>();
        survey.run((header, position, marker) -> {
            batches++;
            epochs.onBatch(path, header, position);
            indexes.onBatch(header, position);
            compacted |= header.isCompacted();
            producers.onAppended(header, marker, 0).ifPresent(aborted::add);
        });
        everyBatchWasSeen &= survey.holes().isEmpty() && survey.mends().isEmpty();
        if (everyBatchWasSeen) {
            checkAborted(base, aborted);
        }
        survey.file().close();
        bytes += survey.sizeBytes();
        SegmentPlan plan = new SegmentPlan(survey);
        plans.add(plan);
        survey.mends()
                .forEach(mend -> add(
                        Severity.NEEDS_REPAIR,
                        path,
                        mend.position(),
                        mend.header().baseOffset(),
                        "the header of this batch has a wrong " + mend.what() + ", which the rest of it proves",
                        Remedy.REPAIR));
        for (SegmentSurvey.Hole hole : survey.holes()) {
            if (!plan.isCut()) {
                onHole(plan, path, hole, limitOffset);
            }
        }
        indexes.finish(survey.holes().isEmpty());
        indexes.problems().forEach((file, problem) -> {
            worthless.add(file);
            add(Severity.REPAIRABLE, file, 0, -1, problem, Remedy.REPAIR);
        });
        return plan.endOffset();
    }

    /** Which transactions were aborted follows from all batches from the first one on. */
    private void checkAborted(long base, List<AbortedTransaction> aborted) throws IOException {
        Path file = SegmentNames.file(log.directory(), base, SegmentNames.TRANSACTION_INDEX);
        ByteBuffer right = TransactionIndex.encode(aborted);
        ByteBuffer found = Files.exists(file) ? ByteBuffer.wrap(Files.readAllBytes(file)) : ByteBuffer.allocate(0);
        int difference = right.mismatch(found);
        if (difference >= 0 && !(compacted && namesAll(aborted, TransactionIndex.decode(found)))) {
            worthless.add(file);
            add(
                    Severity.NEEDS_REPAIR,
                    file,
                    difference,
                    -1,
                    "it does not have the transactions that were aborted in this segment, which are " + aborted.size(),
                    Remedy.REPAIR);
        }
    }

    /** Compaction takes the records of an aborted transaction before its marker: the index may know more than the batches tell. */
    private static boolean namesAll(List<AbortedTransaction> aborted, List<AbortedTransaction> named) {
        return aborted.stream()
                .allMatch(known -> named.stream()
                        .anyMatch(entry -> entry.producerId() == known.producerId()
                                && entry.lastOffset() == known.lastOffset()
                                && entry.firstOffset() <= known.firstOffset()));
    }

    private void onHole(SegmentPlan plan, Path path, SegmentSurvey.Hole hole, long limitOffset) {
        boolean synced = isUnknown() || hole.firstOffset() < syncedOffset();
        long reach = journaled.reach(hole.firstOffset());
        if (reach > hole.firstOffset() && (hole.isTail() || reach >= hole.nextOffset())) {
            if (hole.isTail()) {
                plan.cutAt(hole);
                plan.completedTo(Math.min(reach, limitOffset));
            }
            add(
                    Severity.REPAIRABLE,
                    path,
                    hole.from(),
                    hole.firstOffset(),
                    hole.problem() + "; the commit journal holds " + new Loss(hole.firstOffset(), reach)
                            + ", which belong here",
                    Remedy.JOURNAL);
        } else if (!hole.isTail() && (synced || killed)) {
            plan.fill(hole);
            lose(hole.firstOffset(), hole.nextOffset(), path, hole.from(), hole.problem());
        } else if (!synced) {
            plan.cutAt(hole);
            add(
                    Severity.REPAIRABLE,
                    path,
                    hole.from(),
                    hole.firstOffset(),
                    hole.problem() + "; it was not synced yet, and the next start cuts it off",
                    Remedy.START);
        } else {
            // How many records are missing follows from what comes next, which is looked at there.
            plan.cutAt(hole);
            plan.tailIsLost();
            boolean ends = limitOffset == Long.MAX_VALUE;
            if (isUnknown() && ends) {
                lose(hole.firstOffset(), SegmentSurvey.NOTHING_FOLLOWS, path, hole.from(), hole.problem());
            } else {
                add(
                        Severity.DAMAGE,
                        path,
                        hole.from(),
                        hole.firstOffset(),
                        hole.problem() + ", and no whole batch follows in this file",
                        Remedy.SEE_OFFSETS);
            }
        }
    }

    private void addMissing(long end, long to, Path file, String problem) {
        plans.getLast().completedTo(to);
        add(
                Severity.REPAIRABLE,
                file,
                0,
                end,
                problem + "; the commit journal holds " + new Loss(end, to) + ", which belong in between",
                Remedy.JOURNAL);
    }

    private void checkEnd(long endOfFiles) {
        long end = endOfFiles;
        if (end >= 0 && !hopeless && journaled.reach(end) > end) {
            end = journaled.reach(end);
            plans.getLast().completedTo(end);
            add(
                    Severity.REPAIRABLE,
                    log.directory(),
                    0,
                    endOfFiles,
                    "its files end here; the commit journal holds " + new Loss(endOfFiles, end) + ", which come next",
                    Remedy.JOURNAL);
        }
        if (end >= 0 && end < syncedOffset() && !hopeless) {
            plans.getLast().fillTo(syncedOffset());
            lose(
                    end,
                    syncedOffset(),
                    log.directory(),
                    0,
                    "the log ends here, and everything below offset " + syncedOffset() + " was synced");
        } else if (end < 0 && syncedOffset() > startOffset()) {
            lose(
                    startOffset(),
                    syncedOffset(),
                    log.directory(),
                    0,
                    "it has no segment at all, and everything below offset " + syncedOffset() + " was synced");
        } else if (end >= 0 && !isUnknown() && !hopeless) {
            checkPoint();
        }
    }

    /** Whether the synced offset is where the directory says it is. */
    private void checkPoint() {
        if (recorded.isEmpty() || syncedOffset() == 0) {
            return;
        }
        SyncedPoint point = recorded.get().synced();
        for (SegmentPlan plan : plans) {
            boolean there = plan.baseOffset() == point.segmentBaseOffset();
            boolean end = there && point.offset() == plan.endOffset();
            if (end && plan.losesNothing() && point.position() != plan.survey().endPosition()) {
                add(
                        Severity.NEEDS_REPAIR,
                        plan.survey().file().path(),
                        plan.survey().endPosition(),
                        point.offset(),
                        "the file is whole and ends here, and synced-offsets has the end at position "
                                + point.position(),
                        Remedy.REPAIR);
            }
        }
    }

    private void lose(long from, long to, Path file, long position, String problem) {
        Loss loss = new Loss(from, to);
        if (to != SegmentSurvey.NOTHING_FOLLOWS && to <= startOffset()) {
            String removed = problem + "; " + loss + " had been removed before";
            add(Severity.REPAIRABLE, file, position, from, removed, Remedy.REPAIR);
            return;
        }
        losses.add(loss);
        String cost = log.role() == LogRole.CURSORS ? " of the cursor log" : "";
        add(
                Severity.DAMAGE,
                file,
                position,
                from,
                problem + ": " + loss + cost + " lost",
                Remedy.acceptLoss(loss + (cost.isEmpty() ? "" : ". " + Remedy.WITHOUT_CURSOR_RECORDS)));
    }

    private void add(Severity severity, Path file, long position, long offset, String message, String remedy) {
        findings.add(new Finding(severity, file, position, offset, message, remedy));
    }

    /** Takes findings of other checks. */
    interface Sink {
        void add(Severity severity, Path file, long position, long offset, String message, String remedy);
    }
}
