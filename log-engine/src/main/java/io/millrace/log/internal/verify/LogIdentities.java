package io.millrace.log.internal.verify;

import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which logs are in a data directory, also where {@code partition.metadata} does not say so or says something else than is known: the log
 * beside it has the same id, and {@code synced-offsets} names every log.
 *
 * @param logs the logs
 * @param unknown directories of logs that nothing tells the id of
 */
record LogIdentities(List<StoredLog> logs, List<Path> unknown) {
    private static final String METADATA_LOG = "__cluster_metadata";
    private static final UUID METADATA_LOG_ID = new UUID(0, 1);

    private record Found(
            PartitionId partition, LogRole role, Path directory, Optional<UUID> said, Optional<UUID> beside) {
        LogKey key(UUID id) {
            return new LogKey(id, partition.partition(), role);
        }
    }

    static LogIdentities in(Path dataDirectory, Optional<SyncedOffsets> table) throws IOException {
        Set<LogKey> unclaimed = new HashSet<>(table.map(SyncedOffsets::keys).orElse(Set.of()));
        boolean anyKnown = !unclaimed.isEmpty();
        List<Found> doubtful = new ArrayList<>();
        List<StoredLog> logs = new ArrayList<>();
        List<Path> unknown = new ArrayList<>();
        for (Found found : find(dataDirectory)) {
            boolean sure = found.said().isPresent()
                    && (!anyKnown || unclaimed.remove(found.key(found.said().get())));
            if (sure) {
                logs.add(stored(found, found.said().get()));
            } else {
                doubtful.add(found);
            }
        }
        for (Found found : doubtful) {
            Optional<UUID> id = tell(found, unclaimed);
            id.ifPresent(one -> {
                unclaimed.remove(found.key(one));
                logs.add(stored(found, one));
            });
            if (id.isEmpty()) {
                unknown.add(found.directory());
            }
        }
        logs.sort((a, b) -> a.directory().compareTo(b.directory()));
        return new LogIdentities(logs, unknown);
    }

    private static StoredLog stored(Found found, UUID id) {
        return new StoredLog(found.partition(), found.role(), id, found.directory());
    }

    private static Optional<UUID> tell(Found found, Set<LogKey> unclaimed) {
        if (found.partition().logName().equals(METADATA_LOG)) {
            return Optional.of(METADATA_LOG_ID);
        }
        Optional<UUID> beside = found.beside().filter(id -> unclaimed.contains(found.key(id)));
        if (beside.isPresent()) {
            return beside;
        }
        List<UUID> left = unclaimed.stream()
                .filter(key -> key.partition() == found.partition().partition() && key.role() == found.role())
                .map(LogKey::logId)
                .toList();
        boolean likely = left.size() == 1
                && found.said().map(id -> isAlmost(id, left.getFirst())).orElse(true);
        return likely ? Optional.of(left.getFirst()) : found.said().or(found::beside);
    }

    /** Whether an id can have become another one by damage to a character of its text. */
    private static boolean isAlmost(UUID one, UUID other) {
        int differentBits = Long.bitCount(one.getMostSignificantBits() ^ other.getMostSignificantBits())
                + Long.bitCount(one.getLeastSignificantBits() ^ other.getLeastSignificantBits());
        return differentBits <= 6;
    }

    private static List<Found> find(Path dataDirectory) throws IOException {
        List<Found> found = new ArrayList<>();
        for (Path child : DurableFiles.list(dataDirectory)) {
            Optional<PartitionId> partition = PartitionId.fromDirectoryName(DurableFiles.name(child));
            if (partition.isEmpty() || !Files.isDirectory(child)) {
                continue;
            }
            Path cursors = child.resolve(SegmentNames.CURSORS_DIRECTORY);
            Optional<UUID> data = PartitionMetadata.read(child);
            Optional<UUID> ofCursors = Files.isDirectory(cursors) ? PartitionMetadata.read(cursors) : Optional.empty();
            found.add(new Found(partition.get(), LogRole.DATA, child, data, ofCursors));
            if (Files.isDirectory(cursors)) {
                found.add(new Found(partition.get(), LogRole.CURSORS, cursors, ofCursors, data));
            }
        }
        return found;
    }
}
