package io.millrace.log.internal.verify;

import io.millrace.log.BootId;
import io.millrace.log.DataDirectoryException;
import io.millrace.log.DirectoryCheck;
import io.millrace.log.LogDamagedException;
import io.millrace.log.LogRole;
import io.millrace.log.StoredLog;
import io.millrace.log.VerifyReport;
import io.millrace.log.VerifyReport.Finding;
import io.millrace.log.VerifyReport.Severity;
import io.millrace.log.internal.directory.CleanMark;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.MetaProperties;
import io.millrace.log.internal.directory.StartOffsets;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at everything in a data directory, whose lock the caller holds. Changes nothing. */
public final class DirectorySurvey {
    private static final int MOST_NAMED = 20;

    private final FileCache cache;
    private final Path directory;
    private final List<Finding> findings = new ArrayList<>();
    private final List<LogSurvey> logs = new ArrayList<>();
    private Optional<MetaProperties> meta = Optional.empty();
    private Optional<SyncedOffsets> table = Optional.empty();
    private boolean tableDamaged;
    private Map<LogKey, Journaled> journaled = Map.of();

    private DirectorySurvey(FileCache cache, Path directory) {
        this.cache = cache;
        this.directory = directory;
    }

    /** Whether a broker ever used a directory. */
    public static boolean isDataDirectory(Path directory) {
        return Files.exists(directory.resolve(MetaProperties.FILE_NAME))
                || Files.exists(directory.resolve(MetaProperties.COPY_NAME))
                || Files.exists(directory.resolve(SyncedOffsets.FILE_NAME));
    }

    /** Looks. */
    public static DirectorySurvey of(FileCache cache, Path directory, List<DirectoryCheck> more) throws IOException {
        DirectorySurvey survey = new DirectorySurvey(cache, directory);
        survey.checkMeta();
        survey.checkTable();
        survey.readJournal();
        survey.checkStartOffsets();
        survey.checkLogs();
        survey.reportJournal();
        more.forEach(check -> survey.findings.addAll(check.check(directory)));
        return survey;
    }

    /** What was found. */
    public VerifyReport report() {
        List<Finding> all = new ArrayList<>(findings);
        logs.forEach(log -> all.addAll(log.findings()));
        return new VerifyReport(
                directory,
                logs.size(),
                logs.stream().mapToInt(LogSurvey::segments).sum(),
                logs.stream().mapToLong(LogSurvey::batches).sum(),
                logs.stream().mapToLong(LogSurvey::bytes).sum(),
                all);
    }

    List<LogSurvey> logs() {
        return logs;
    }

    /** Whose directory it is, if that can be read. */
    Optional<MetaProperties> meta() {
        return meta;
    }

    /** Whether the table of synced offsets cannot be read as a whole. */
    boolean isTableDamaged() {
        return tableDamaged;
    }

    private void checkMeta() throws IOException {
        Path file = directory.resolve(MetaProperties.FILE_NAME);
        try {
            meta = MetaProperties.read(directory);
            if (meta.isEmpty()) {
                add(Severity.NEEDS_REPAIR, file, "it is missing", metaRemedy());
            }
        } catch (DataDirectoryException e) {
            add(Severity.NEEDS_REPAIR, file, String.valueOf(e.getMessage()), metaRemedy());
        }
        if (meta.isPresent() && MetaProperties.readCopy(directory).isEmpty()) {
            Path copy = directory.resolve(MetaProperties.COPY_NAME);
            add(Severity.REPAIRABLE, copy, "this copy of meta.properties is missing or damaged", Remedy.START);
        }
    }

    private String metaRemedy() throws IOException {
        return MetaProperties.readCopy(directory).isPresent()
                ? Remedy.REPAIR
                : "restore it from a backup: there is no copy of it to take it from";
    }

    private void checkTable() throws IOException {
        Path file = directory.resolve(SyncedOffsets.FILE_NAME);
        try {
            table = SyncedOffsets.read(cache, directory);
            if (table.isEmpty()) {
                add(
                        Severity.REPAIRABLE,
                        file,
                        "it is missing or empty, so a torn tail cannot be told from damage",
                        "the next start takes the logs as they are; `millrace log verify --repair` does so where they are whole");
            }
        } catch (DataDirectoryException e) {
            tableDamaged = true;
            add(Severity.NEEDS_REPAIR, file, String.valueOf(e.getMessage()), Remedy.REPAIR);
        }
        for (Integer entry : table.map(SyncedOffsets::damagedEntries).orElse(List.of())) {
            findings.add(new Finding(
                    Severity.NEEDS_REPAIR,
                    file,
                    SyncedOffsets.position(entry),
                    -1,
                    "the entry here does not say which log it is of",
                    Remedy.REPAIR));
        }
    }

    /** What is only in the journal is no damage of the logs: the next start puts it there. */
    private void readJournal() throws IOException {
        try {
            if (!CleanMark.isIn(directory)) {
                journaled = Journaled.read(cache, directory);
            }
        } catch (DataDirectoryException e) {
            add(Severity.DAMAGE, journal(), String.valueOf(e.getMessage()), "restore it, or move it away as said");
        }
    }

    private Path journal() {
        return directory.resolve("commit-journal-0");
    }

    private void reportJournal() {
        List<String> held = new ArrayList<>();
        long bytes = 0;
        for (LogSurvey log : logs) {
            Journaled of = journaled.get(key(log.log()));
            if (of != null) {
                held.add(log.log().partition() + (log.log().role() == LogRole.CURSORS ? "/cursors " : " ") + of);
                bytes += of.bytes();
            }
        }
        if (!held.isEmpty()) {
            String names = String.join("; ", held.subList(0, Math.min(held.size(), MOST_NAMED)));
            String more = held.size() > MOST_NAMED ? "; and " + (held.size() - MOST_NAMED) + " more" : "";
            add(
                    Severity.REPAIRABLE,
                    journal(),
                    "the commit journal holds " + bytes + " bytes of synced records of " + held.size()
                            + " logs, whose files may end before them: " + names + more,
                    "the next start puts them there");
        }
    }

    private static LogKey key(StoredLog log) {
        return new LogKey(log.logId(), log.partition().partition(), log.role());
    }

    private void checkStartOffsets() throws IOException {
        Path file = directory.resolve(StartOffsets.FILE_NAME);
        if (Files.exists(file) && !StartOffsets.isWhole(DurableFiles.readText(file))) {
            add(Severity.REPAIRABLE, file, "it is damaged; nothing but tools of others reads it", Remedy.REPAIR);
        }
    }

    private void checkLogs() throws IOException {
        boolean killed = meta.isPresent()
                && !meta.get().suspect()
                && !meta.get().bootId().isEmpty()
                && meta.get().bootId().equals(BootId.current())
                && !CleanMark.isIn(directory);
        LogIdentities identities = LogIdentities.in(directory, table);
        identities
                .unknown()
                .forEach(path -> add(
                        Severity.NEEDS_REPAIR,
                        path.resolve(SegmentNames.PARTITION_METADATA),
                        "it is missing or damaged, and nothing else says which log this is",
                        "restore it from a replica or a backup"));
        for (StoredLog log : identities.logs()) {
            LogSurvey survey = survey(log, killed);
            survey.run();
            logs.add(survey);
        }
    }

    private LogSurvey survey(StoredLog log, boolean killed) throws IOException {
        LogKey key = key(log);
        Optional<LogCheckpoint> recorded = Optional.empty();
        boolean unknown = table.isEmpty();
        try {
            recorded = table.flatMap(known -> known.find(key));
            if (table.isPresent() && recorded.isEmpty() && hasBatches(log.directory())) {
                unknown = true;
                add(
                        Severity.NEEDS_REPAIR,
                        directory.resolve(SyncedOffsets.FILE_NAME),
                        "it has no entry for " + log.directory() + ", which is not empty",
                        Remedy.REPAIR);
            }
        } catch (LogDamagedException e) {
            unknown = true;
            add(
                    Severity.NEEDS_REPAIR,
                    directory.resolve(SyncedOffsets.FILE_NAME),
                    String.valueOf(e.getMessage()),
                    Remedy.REPAIR);
        }
        return new LogSurvey(cache, log, recorded, unknown, killed, journaled.getOrDefault(key, Journaled.NOTHING));
    }

    private static boolean hasBatches(Path log) throws IOException {
        for (Path file : DurableFiles.list(log)) {
            if (SegmentNames.offsetOf(file, SegmentNames.LOG).isPresent() && Files.size(file) > 0) {
                return true;
            }
        }
        return false;
    }

    private void add(Severity severity, Path file, String message, String remedy) {
        findings.add(new Finding(severity, file, 0, -1, message, remedy));
    }
}
