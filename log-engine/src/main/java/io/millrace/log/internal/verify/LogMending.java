package io.millrace.log.internal.verify;

import io.millrace.log.LogDamagedException;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.disk.LogRebuild;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Mends one log as its {@link LogSurvey} planned. What is lost stays in the log as a batch without records, as compaction leaves one, so that
 * no offset is used twice and everything behind it keeps its place; the bytes that were there go into a file beside it.
 *
 * <p>Each step may be the last one before a crash: another survey then finds what is left to do.
 */
final class LogMending {
    private static final String METADATA_LOG = "__cluster_metadata";

    private final FileCache cache;
    private final LogSurvey survey;
    private final SyncedOffsets table;
    private final Consumer<String> done;

    LogMending(FileCache cache, LogSurvey survey, SyncedOffsets table, Consumer<String> done) {
        this.cache = cache;
        this.survey = survey;
        this.table = table;
        this.done = done;
    }

    /**
     * Mends.
     *
     * @return why nothing was done, or empty
     */
    Optional<String> run(boolean acceptLoss) throws IOException {
        StoredLog log = survey.log();
        if (survey.isHopeless()) {
            return Optional.of(log.directory() + " is left as it is: its segments contradict each other");
        }
        if (!survey.losses().isEmpty() && !acceptLoss) {
            return Optional.of(log.directory() + " is left as it is: " + survey.losses()
                    + " would be lost. Restore it, or say --accept-loss");
        }
        Path identity = PartitionMetadata.file(log.directory());
        DurableFiles.replace(identity, PartitionMetadata.encode(log.logId()));
        setRight();
        if (!survey.losses().isEmpty() && log.partition().logName().equals(METADATA_LOG)) {
            return cutMetadata();
        }
        mendSegments();
        removeWorthless();
        restate(new LogCheckpoint(endPoint(), startOffset()));
        return rebuild();
    }

    /** The fields of headers that the checksum does not cover. */
    private void setRight() throws IOException {
        for (SegmentPlan plan : survey.plans()) {
            for (HeaderMend mend : plan.survey().mends()) {
                write(plan.survey().file(), mend.bytes().clear(), mend.position());
                done.accept("set right the header of the batch at position " + mend.position() + " of "
                        + plan.survey().file());
            }
        }
        for (EpochSurvey.Mismatch batch : survey.epochs().wrongBatches()) {
            ByteBuffer epoch = ByteBuffer.allocate(Integer.BYTES).putInt(0, batch.expected());
            write(new LogFile(cache, batch.file()), epoch, batch.position() + RecordBatch.PARTITION_LEADER_EPOCH);
            done.accept("set the epoch of the batch at position " + batch.position() + " of " + batch.file() + " to "
                    + batch.expected());
        }
        if (survey.epochs().isCheckpointWrong()) {
            Path file = survey.log().directory().resolve(SegmentNames.EPOCH_CHECKPOINT);
            EpochCheckpoint.write(file, survey.epochs().right());
            done.accept("made " + file + " anew from the batches");
        }
    }

    private static void write(LogFile file, ByteBuffer bytes, int position) throws IOException {
        file.write(bytes, position);
        file.force();
        file.close();
    }

    private void mendSegments() throws IOException {
        if (survey.plans().isEmpty()) {
            long base = survey.syncedOffset();
            Segment.create(cache, survey.log().directory(), base).close();
            done.accept("began " + survey.log().directory() + " again at offset " + base);
        }
        for (SegmentPlan plan : survey.plans()) {
            new SegmentMending(cache, survey.log().directory(), plan, survey.epochs()::right, done).run();
        }
        for (Long base : survey.unreachable().reversed()) {
            Segment.remove(cache, survey.log().directory(), base);
            done.accept("removed the segment " + base + " of " + survey.log().directory()
                    + ", which did not continue the log and was never synced");
        }
        DurableFiles.forceDirectory(survey.log().directory());
    }

    private void removeWorthless() throws IOException {
        boolean complete =
                !survey.plans().isEmpty() && survey.plans().getFirst().baseOffset() == 0;
        if (!survey.losses().isEmpty() && complete) {
            // A marker or a transaction may be among what is lost, so the whole history is gone through again.
            for (SegmentPlan plan : survey.plans()) {
                Files.deleteIfExists(
                        SegmentNames.file(survey.log().directory(), plan.baseOffset(), SegmentNames.TRANSACTION_INDEX));
            }
        }
        for (Path file : survey.worthless()) {
            Files.deleteIfExists(file);
            done.accept("removed " + file + ", which is made anew");
        }
    }

    /** Raft cannot go over a hole: what comes after it goes too. */
    private Optional<String> cutMetadata() throws IOException {
        if (survey.plans().isEmpty()
                || survey.startOffset() < survey.plans().getFirst().baseOffset()) {
            return Optional.of(survey.log().directory() + " has lost its beginning: restore it from a backup");
        }
        long offset = survey.losses().getFirst().firstOffset();
        for (SegmentPlan plan : survey.plans().reversed()) {
            Optional<SegmentSurvey.Hole> hole = plan.fills().stream().findFirst();
            if (plan.baseOffset() >= offset && plan != survey.plans().getFirst()) {
                SegmentMending.moveAside(cache, survey.log().directory(), plan.baseOffset(), done);
            } else {
                int keep = hole.map(SegmentSurvey.Hole::from).orElse(plan.keptBytes());
                SegmentMending.cutOff(plan.survey(), keep, done);
            }
        }
        removeWorthless();
        SegmentSurvey last = lastUpTo(offset);
        restate(new LogCheckpoint(
                new SyncedPoint(
                        offset,
                        last.baseOffset(),
                        Math.toIntExact(Files.size(last.file().path()))),
                survey.startOffset()));
        done.accept("cut the metadata at offset " + offset + ": what was created or changed after that is forgotten");
        return rebuild();
    }

    private SegmentSurvey lastUpTo(long offset) {
        return survey.plans().stream()
                .map(SegmentPlan::survey)
                .filter(one -> one.baseOffset() < offset || one.baseOffset() == 0)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private long startOffset() {
        long first = survey.plans().isEmpty()
                ? survey.syncedOffset()
                : survey.plans().getFirst().baseOffset();
        return Math.max(first, survey.startOffset());
    }

    private SyncedPoint endPoint() throws IOException {
        if (survey.plans().isEmpty()) {
            return SyncedPoint.beginningOf(survey.syncedOffset());
        }
        SegmentPlan last = survey.plans().getLast();
        int size = Math.toIntExact(Files.size(last.survey().file().path()));
        return new SyncedPoint(last.endOffset(), last.baseOffset(), size);
    }

    private LogKey key() {
        StoredLog log = survey.log();
        return new LogKey(log.logId(), log.partition().partition(), log.role());
    }

    private void restate(LogCheckpoint checkpoint) throws IOException {
        table.restate(key(), checkpoint);
        table.force();
    }

    /** Opens the log as a start does: what is derived from the batches is there then, and it is sure that the next start can. */
    private Optional<String> rebuild() throws IOException {
        Path directory = survey.log().directory();
        try {
            restate(LogRebuild.run(cache, directory, table.find(key())));
            return Optional.empty();
        } catch (LogDamagedException e) {
            return Optional.of(directory + " still cannot be opened: " + e.getMessage());
        }
    }
}
