package io.millrace.log.internal.verify;

import io.millrace.log.VerifyReport.Severity;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares the epochs that a log's checkpoint has with those that its batches have. Neither is covered by a checksum. Where they differ, one
 * batch with an epoch that never was is damaged itself; otherwise, if the epochs of the batches never go back, the checkpoint is.
 */
final class EpochSurvey {
    private final Path file;
    private final Optional<EpochHistory> checkpoint;
    private final boolean exists;
    private final long syncedOffset;
    private final List<Mismatch> mismatches = new ArrayList<>();
    private EpochHistory ofBatches = EpochHistory.EMPTY;
    private boolean goesBack;
    private boolean checkpointIsWrong;
    private boolean batchesAreWrong;

    /**
     * A batch whose epoch is not the one that the checkpoint has for its offset.
     *
     * @param file the log file that it is in
     * @param position where
     * @param offset its base offset
     * @param found its epoch
     * @param expected what the checkpoint has
     */
    record Mismatch(Path file, int position, long offset, int found, int expected) {}

    private EpochSurvey(Path file, Optional<EpochHistory> checkpoint, boolean exists, long syncedOffset) {
        this.file = file;
        this.checkpoint = checkpoint;
        this.exists = exists;
        this.syncedOffset = syncedOffset;
    }

    /** Reads the checkpoint of a log. */
    static EpochSurvey read(Path directory, long syncedOffset) throws IOException {
        Path file = directory.resolve(SegmentNames.EPOCH_CHECKPOINT);
        return new EpochSurvey(file, EpochCheckpoint.read(file), Files.exists(file), syncedOffset);
    }

    void onBatch(Path log, BatchHeader header, int position) {
        goesBack |= header.leaderEpoch() < ofBatches.latestEpoch();
        ofBatches = ofBatches.with(header.leaderEpoch(), header.baseOffset());
        boolean known = checkpoint.isPresent() && !checkpoint.get().entries().isEmpty();
        if (known && header.lastOffset() < syncedOffset) {
            int expected = checkpoint.get().epochAt(header.lastOffset());
            if (expected != header.leaderEpoch()) {
                mismatches.add(new Mismatch(log, position, header.baseOffset(), header.leaderEpoch(), expected));
            }
        }
    }

    /** Where the first epoch begins, or 0. */
    long firstOffset() {
        return checkpoint.map(EpochHistory::entries).orElse(List.of()).stream()
                .mapToLong(EpochHistory.Entry::startOffset)
                .findFirst()
                .orElse(0);
    }

    /** After all batches: what is wrong, if anything. */
    void decide(LogSurvey.Sink findings) {
        boolean anyBatch = !ofBatches.entries().isEmpty();
        if (checkpoint.isEmpty() && (exists || anyBatch)) {
            checkpointIsWrong = true;
            String what = exists ? "the epochs are unreadable" : "the epochs are missing";
            findings.add(Severity.REPAIRABLE, file, 0, -1, what, Remedy.START);
        } else if (!mismatches.isEmpty() && (goesBack || isOneStranger())) {
            batchesAreWrong = true;
            for (Mismatch one : mismatches) {
                findings.add(
                        Severity.NEEDS_REPAIR,
                        one.file,
                        one.position,
                        one.offset,
                        "the batch has leader epoch " + one.found + ", and was written in epoch " + one.expected,
                        Remedy.REPAIR);
            }
        } else if (!mismatches.isEmpty()) {
            checkpointIsWrong = true;
            Mismatch first = mismatches.getFirst();
            findings.add(
                    Severity.NEEDS_REPAIR,
                    file,
                    0,
                    first.offset,
                    "it has epoch " + first.expected + " for offset " + first.offset
                            + ", and the batch there has epoch " + first.found + ", as " + (mismatches.size() - 1)
                            + " others disagree with it",
                    Remedy.REPAIR);
        }
    }

    private boolean isOneStranger() {
        return mismatches.size() == 1
                && checkpoint.orElse(EpochHistory.EMPTY).entries().stream()
                        .noneMatch(entry -> entry.epoch() == mismatches.getFirst().found);
    }

    /** Whether the checkpoint is to be made from the batches. */
    boolean isCheckpointWrong() {
        return checkpointIsWrong;
    }

    /** The batches whose epoch is to be set to what the checkpoint has. */
    List<Mismatch> wrongBatches() {
        return batchesAreWrong ? mismatches : List.of();
    }

    /** The epochs to go by. */
    EpochHistory right() {
        return checkpointIsWrong || checkpoint.isEmpty() ? ofBatches : checkpoint.get();
    }
}
