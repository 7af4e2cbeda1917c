package io.millrace.log.internal.disk;

import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.Segment;
import java.util.List;

/**
 * A log as it was found, whole again.
 *
 * @param segments oldest first, the last one active
 * @param logStartOffset first offset that can be read
 * @param startLowered whether what is recorded of the log start is above that: the records up to there were lost
 * @param synced how far it is known to be durable
 * @param epochs its leader epochs
 * @param epochsDurable whether they are in the checkpoint file as they are here
 * @param namesDurable whether the names of all segments are known to survive a power cut
 * @param producers state at the log end
 * @param snapshots the producer snapshots that are left
 */
record RecoveredLog(
        List<Segment> segments,
        long logStartOffset,
        boolean startLowered,
        SyncedPoint synced,
        EpochHistory epochs,
        boolean epochsDurable,
        boolean namesDurable,
        ProducerStates producers,
        SnapshotFiles snapshots) {}
