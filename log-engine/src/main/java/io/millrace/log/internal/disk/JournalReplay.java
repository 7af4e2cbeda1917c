package io.millrace.log.internal.disk;

import io.millrace.log.LogDamagedException;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.Reserve;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.log.internal.journal.JournalReader;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncRound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts what the commit journal holds into the files of the logs, before any log is opened. Everything is as it was in the end after one run as
 * after several, so a crash in between does no harm; the journal goes when all of it is durable elsewhere.
 *
 * <p>How far a log was put together is noted in {@code synced-offsets} as its durable offset, so that whoever opens it, which may be much
 * later, knows that nothing below may be missing. The synced offset stays: indexes and epochs above it are made anew from the batches.
 */
public final class JournalReplay {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReplay.class);

    private final DataDirectory directory;
    private final FileCache cache;
    private final SyncRound forcing;
    private final Map<LogKey, Path> paths = new HashMap<>();
    private final Map<LogKey, Long> forgotten = new HashMap<>();
    private final Map<LogKey, Replayed> replayed = new LinkedHashMap<>();
    private long bytes;

    /** A log that something was put into. */
    private static final class Replayed {
        private final Path path;
        private final long logStartOffset;
        private final Map<Long, LogFile> files = new LinkedHashMap<>();
        private long endOffset;

        private Replayed(Path path, long logStartOffset) {
            this.path = path;
            this.logStartOffset = logStartOffset;
        }
    }

    /**
     * @param helpers force files at the same time
     */
    public JournalReplay(DataDirectory directory, FileCache cache, Executor helpers) {
        this.directory = directory;
        this.cache = cache;
        this.forcing = new SyncRound(helpers);
    }

    /**
     * Runs it, and removes the journal.
     *
     * @param logs all logs of the directory
     * @throws io.millrace.log.DataDirectoryException if the journal is damaged
     */
    public void run(List<StoredLog> logs) throws IOException {
        for (StoredLog log : logs) {
            paths.put(new LogKey(log.logId(), log.partition().partition(), log.role()), log.directory());
        }
        JournalReader reader = new JournalReader(cache, directory.path());
        reader.read(new JournalReader.Visitor() {
            @Override
            public void onRange(long number, LogKey key, JournalReader.Range range, ByteBuffer batches) {}

            @Override
            public void onForget(long number, LogKey key) {
                forgotten.put(key, number);
            }
        });
        long blocks = reader.read(new JournalReader.Visitor() {
            @Override
            public void onRange(long number, LogKey key, JournalReader.Range range, ByteBuffer batches)
                    throws IOException {
                Path path = paths.get(key);
                if (path != null && number > forgotten.getOrDefault(key, -1L)) {
                    put(key, path, range, batches);
                }
            }

            @Override
            public void onForget(long number, LogKey key) {}
        });
        force();
        for (Map.Entry<LogKey, Replayed> entry : replayed.entrySet()) {
            directory.syncedOffsets().recordReplayed(entry.getKey(), entry.getValue().endOffset);
        }
        directory.syncedOffsets().force();
        CommitJournal.deleteFiles(directory.path());
        LOG.info(
                "replayed the commit journal of {}: {} bytes of {} logs, from {} rounds",
                directory.path(),
                bytes,
                replayed.size(),
                blocks);
    }

    private void put(LogKey key, Path path, JournalReader.Range range, ByteBuffer batches) throws IOException {
        Replayed log = replayed.get(key);
        if (log == null) {
            log = new Replayed(path, logStartOffset(key));
            replayed.put(key, log);
        }
        LogFile file = log.files.get(range.segment());
        if (file == null) {
            file = new LogFile(cache, SegmentNames.file(log.path, range.segment(), SegmentNames.LOG));
            if (!file.exists() && range.position() == 0) {
                // Rolled, and the name was not durable. Or removed since: then it is below the log start, and goes once
                // more.
                file.create();
            }
            log.files.put(range.segment(), file);
        }
        if (!file.exists() || file.sizeBytes() < range.position()) {
            if (range.endOffset() <= log.logStartOffset) {
                // Removed since, with its segment.
                return;
            }
            log.endOffset = Math.max(log.endOffset, range.endOffset());
            LOG.error(
                    "{} ends before position {}, and should have been synced up to there: what the commit journal has of it"
                            + " (offsets {}..{}) cannot be put back",
                    file,
                    range.position(),
                    range.firstOffset(),
                    range.endOffset() - 1);
            return;
        }
        log.endOffset = Math.max(log.endOffset, range.endOffset());
        bytes += batches.remaining();
        writeOnFullDisk(file, batches, range.position());
    }

    /** What was there before, so there was space for it; a disk that has filled up since gets some from the reserve. */
    private void writeOnFullDisk(LogFile file, ByteBuffer batches, int position) throws IOException {
        while (true) {
            long seen = directory.reserve().releases();
            try {
                file.write(batches, position);
                return;
            } catch (IOException e) {
                boolean full = DiskSpace.isFull(e, directory.path(), batches.remaining());
                if (!full || !directory.reserve().release(batches.remaining(), seen, Reserve.User.METADATA)) {
                    throw e;
                }
            }
        }
    }

    private long logStartOffset(LogKey key) {
        try {
            return directory
                    .syncedOffsets()
                    .find(key)
                    .map(LogCheckpoint::logStartOffset)
                    .orElse(0L);
        } catch (LogDamagedException e) {
            // Said again, and in full, when the log is opened.
            LOG.warn("{}", e.getMessage());
            return 0;
        }
    }

    private void force() throws IOException {
        List<SyncJob.Force> forces = new ArrayList<>();
        Set<Path> directories = new LinkedHashSet<>();
        for (Replayed log : replayed.values()) {
            directories.add(log.path);
            for (LogFile file : log.files.values()) {
                if (file.exists()) {
                    forces.add(file::force);
                }
            }
        }
        directories.forEach(path -> forces.add(() -> DurableFiles.forceDirectory(path)));
        IOException failure = forcing.run(forces);
        for (Replayed log : replayed.values()) {
            for (LogFile file : log.files.values()) {
                file.close();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
