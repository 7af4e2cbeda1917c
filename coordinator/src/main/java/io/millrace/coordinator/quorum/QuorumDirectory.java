package io.millrace.coordinator.quorum;

import io.millrace.log.DirectoryInfo;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Everything that a member keeps on disk: the partition {@code __cluster_metadata-0} in the first data directory, with the snapshots, the
 * {@code quorum-state} and the {@code voter-incarnations} beside its segments.
 *
 * @param log the metadata log
 * @param callbacks what the log's syncer reports to
 * @param snapshots its snapshots
 * @param election the vote
 * @param voters who the other voters are
 * @param space how much room there is for them
 */
record QuorumDirectory(
        PartitionLog log,
        LogCallbacks callbacks,
        SnapshotFiles snapshots,
        ElectionFile election,
        VoterIncarnations voters,
        QuorumSpace space) {

    static final PartitionId PARTITION =
            new PartitionId(MetadataLog.TOPIC_PARTITION.topic(), MetadataLog.TOPIC_PARTITION.partition());
    /** Kafka's id of this log, the same in every cluster. */
    static final UUID LOG_ID = new UUID(0, 1);

    private static final LogConfig CONFIG = LogConfig.builder()
            .segmentBytes(64 << 20)
            .rollMs(TimeUnit.DAYS.toMillis(3650))
            .retentionMs(LogConfig.UNLIMITED)
            .mayUseReserve(true)
            .build();

    /**
     * Opens what is there, or creates it.
     *
     * @throws QuorumStorageException if a part of it is missing, so that taking part could break what this member promised before
     */
    static QuorumDirectory open(LogStorage storage) {
        return open(storage, new LogCallbacks());
    }

    static QuorumDirectory open(LogStorage storage, LogCallbacks callbacks) {
        if (storage.find(PARTITION, LogRole.DATA).isEmpty()) {
            refuseToForget(storage);
        }
        QuorumDirectory opened = openParts(storage, callbacks);
        if (!opened.election.exists()
                && (opened.log.logEndOffset() > 0 || !opened.snapshots.ids().isEmpty())) {
            opened.log.close();
            throw new QuorumStorageException(opened.election.path() + " is missing, but there is metadata beside it. "
                    + opened.election.remedy());
        }
        return opened;
    }

    /** As {@link #open(LogStorage, LogCallbacks)}, whether or not it is complete. */
    static QuorumDirectory openParts(LogStorage storage, LogCallbacks callbacks) {
        PartitionLog log = storage.find(PARTITION, LogRole.DATA).isPresent()
                ? storage.open(PARTITION, LogRole.DATA, LOG_ID, CONFIG, callbacks, callbacks)
                : storage.create(PARTITION, LogRole.DATA, LOG_ID, CONFIG, callbacks, callbacks);
        Path directory = locate(storage);
        return new QuorumDirectory(
                log,
                callbacks,
                new SnapshotFiles(directory),
                new ElectionFile(directory, storage.incarnation()),
                new VoterIncarnations(directory),
                new QuorumSpace(() -> storedIn(storage, directory)));
    }

    private static DirectoryInfo storedIn(LogStorage storage, Path directory) {
        return storage.directories().stream()
                .filter(info -> directory.startsWith(info.path()))
                .findFirst()
                .orElseThrow(() -> new QuorumStorageException("no data directory has " + directory + " any more"));
    }

    /** A directory that has partitions once had metadata that named them. */
    private static void refuseToForget(LogStorage storage) {
        if (!storage.storedLogs().isEmpty()) {
            throw new QuorumStorageException(
                    "the data directories have " + storage.storedLogs().size()
                            + " partitions, but " + PARTITION.directoryName() + " is missing in "
                            + storage.directories().getFirst().path()
                            + ": the metadata was lost. Restore it; starting without would forget what these partitions are");
        }
    }

    private static Path locate(LogStorage storage) {
        return storage.directories().stream()
                .map(DirectoryInfo::path)
                .map(directory -> directory.resolve(PARTITION.directoryName()))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new QuorumStorageException(
                        "no data directory has " + PARTITION.directoryName() + ", which was just opened"));
    }
}
