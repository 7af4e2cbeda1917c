package io.millrace.log.internal.verify;

import io.millrace.log.DirectoryCheck;
import io.millrace.log.RepairReport;
import io.millrace.log.internal.directory.CleanMark;
import io.millrace.log.internal.directory.MetaProperties;
import io.millrace.log.internal.directory.StartOffsets;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.journal.JournalReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Mends a data directory, whose lock the caller holds. */
public final class DirectoryRepair {
    private final FileCache cache;
    private final Path directory;
    private final List<String> done = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    private DirectoryRepair(FileCache cache, Path directory) {
        this.cache = cache;
        this.directory = directory;
    }

    /**
     * Mends everything that can be mended.
     *
     * @param acceptLoss whether records may be given up that cannot
     */
    public static RepairReport run(FileCache cache, Path directory, boolean acceptLoss, List<DirectoryCheck> more)
            throws IOException {
        DirectoryRepair repair = new DirectoryRepair(cache, directory);
        Optional<MetaProperties> meta = repair.mend(DirectorySurvey.of(cache, directory, List.of()), acceptLoss);
        for (DirectoryCheck check : more) {
            meta.ifPresent(known -> repair.done.addAll(check.repair(directory, known.incarnation())));
        }
        cache.closeAll();
        return new RepairReport(
                repair.done,
                repair.refused,
                DirectorySurvey.of(cache, directory, more).report());
    }

    /** Answers whose directory it is, if that is known. */
    private Optional<MetaProperties> mend(DirectorySurvey survey, boolean acceptLoss) throws IOException {
        Optional<MetaProperties> meta = mendMeta(survey);
        if (meta.isEmpty()) {
            refused.add(directory + " is left as it is: nobody knows whose it is");
            return meta;
        }
        if (JournalReader.isThere(directory) && !CleanMark.isIn(directory)) {
            refused.add(directory
                    + " is left as it is: its commit journal holds records that the logs' files may lack. Start"
                    + " the broker once, which puts them there, also if some logs are damaged; then repair");
            return meta;
        }
        Path startOffsets = directory.resolve(StartOffsets.FILE_NAME);
        if (Files.exists(startOffsets) && !StartOffsets.isWhole(DurableFiles.readText(startOffsets))) {
            Files.delete(startOffsets);
            done.add("removed " + startOffsets + ", which is made anew");
        }
        boolean loses = acceptLoss
                && survey.logs().stream().anyMatch(log -> !log.losses().isEmpty());
        if (loses) {
            // First of all: whatever is delivered again because of it has to say so.
            meta.get().suspected().write(directory);
            CleanMark.remove(directory);
            done.add("the next start counts as one after a power loss");
        }
        mendLogs(survey, acceptLoss);
        return meta;
    }

    private Optional<MetaProperties> mendMeta(DirectorySurvey survey) throws IOException {
        Optional<MetaProperties> copy = MetaProperties.readCopy(directory);
        if (survey.meta().isPresent()) {
            if (copy.isEmpty()) {
                survey.meta().get().write(directory);
                done.add("wrote " + directory.resolve(MetaProperties.COPY_NAME) + " anew");
            }
            return survey.meta();
        }
        if (copy.isPresent()) {
            copy.get().suspected().write(directory);
            done.add("took " + directory.resolve(MetaProperties.FILE_NAME) + " from its copy");
        }
        return copy;
    }

    private void mendLogs(DirectorySurvey survey, boolean acceptLoss) throws IOException {
        Path file = directory.resolve(SyncedOffsets.FILE_NAME);
        boolean anew = survey.isTableDamaged() || !Files.exists(file) || Files.size(file) == 0;
        if (survey.isTableDamaged()) {
            DurableFiles.move(file, file.resolveSibling(SyncedOffsets.FILE_NAME + SegmentMending.DAMAGED_SUFFIX));
        }
        SyncedOffsets table = SyncedOffsets.open(cache, directory);
        if (anew) {
            DurableFiles.forceDirectory(directory);
            done.add("made " + file + " anew");
        }
        boolean all = true;
        for (LogSurvey log : survey.logs()) {
            boolean wrong = log.isUnknown() || !log.findings().isEmpty();
            if (wrong) {
                Optional<String> why = new LogMending(cache, log, table, done::add).run(acceptLoss);
                why.ifPresent(refused::add);
                all &= why.isEmpty();
            }
        }
        if (all && !table.damagedEntries().isEmpty()) {
            table.freeDamaged();
            table.force();
            done.add("freed the damaged entries of " + file);
        }
        table.close();
    }
}
