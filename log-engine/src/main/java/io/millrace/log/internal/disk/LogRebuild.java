package io.millrace.log.internal.disk;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDamagedException;
import io.millrace.log.StartKind;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Has the files of a log that nobody uses be as a start and a clean close would leave them. For one thread. */
public final class LogRebuild {
    private LogRebuild() {}

    /**
     * Recovers a log, and forces all its files.
     *
     * @param recorded what is known of it
     * @return what is known of it now
     * @throws LogDamagedException if something is wrong below the synced offset
     */
    public static LogCheckpoint run(FileCache cache, Path directory, Optional<LogCheckpoint> recorded)
            throws IOException {
        // Nothing is written that has a time in it.
        RecoveredLog found =
                new LogRecovery(cache, directory, LogConfig.DEFAULT, StartKind.POWER_LOSS, recorded, 0).run();
        rebuildAborted(found.segments());
        Segment active = found.segments().getLast();
        active.completeIndexes();
        EpochCheckpoint.write(directory.resolve(SegmentNames.EPOCH_CHECKPOINT), found.epochs());
        for (Segment segment : found.segments()) {
            for (LogFile file : segment.filesToForce()) {
                file.force();
            }
            segment.timeIndexFile().force();
            segment.forceAborted();
            segment.close();
        }
        DurableFiles.forceDirectory(directory);
        return new LogCheckpoint(
                new SyncedPoint(active.nextOffset(), active.baseOffset(), active.sizeBytes()), found.logStartOffset());
    }

    /**
     * The transactions that were aborted follow from all batches; those that began before the first one are not known any more. What an index
     * says stays, since compaction has it know more than the batches tell. It may lack some all the same: the recovery before this noted
     * those only whose markers it came across.
     */
    private static void rebuildAborted(List<Segment> segments) throws IOException {
        ProducerStates producers = new ProducerStates(Integer.MAX_VALUE);
        for (Segment segment : segments) {
            NavigableMap<Long, AbortedTransaction> byMarker = new TreeMap<>();
            segment.replay((header, position, marker) -> {
                producers
                        .onAppended(header, marker, 0)
                        .ifPresent(aborted -> byMarker.put(aborted.lastOffset(), aborted));
                return true;
            });
            List<AbortedTransaction> named = segment.aborted();
            named.forEach(aborted -> byMarker.put(aborted.lastOffset(), aborted));
            if (byMarker.size() > named.size()) {
                segment.replaceAborted(List.copyOf(byMarker.values()));
            }
        }
    }
}
