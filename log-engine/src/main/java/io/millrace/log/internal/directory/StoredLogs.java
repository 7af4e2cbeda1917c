package io.millrace.log.internal.directory;

import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the logs in a data directory. */
public final class StoredLogs {
    private static final Logger LOG = LoggerFactory.getLogger(StoredLogs.class);

    private StoredLogs() {}

    /** The logs, by name, each partition's cursors after its data. What does not say which log it is is left out. */
    public static List<StoredLog> in(Path dataDirectory) throws IOException {
        List<StoredLog> result = new ArrayList<>();
        for (Path child : DurableFiles.list(dataDirectory)) {
            Optional<PartitionId> partition = PartitionId.fromDirectoryName(DurableFiles.name(child));
            if (partition.isEmpty() || !Files.isDirectory(child)) {
                continue;
            }
            add(result, partition.get(), LogRole.DATA, child);
            Path cursors = child.resolve(SegmentNames.CURSORS_DIRECTORY);
            if (Files.isDirectory(cursors)) {
                add(result, partition.get(), LogRole.CURSORS, cursors);
            }
        }
        return result;
    }

    private static void add(List<StoredLog> result, PartitionId partition, LogRole role, Path directory)
            throws IOException {
        Optional<UUID> logId = PartitionMetadata.read(directory);
        if (logId.isPresent()) {
            result.add(new StoredLog(partition, role, logId.get(), directory));
        } else {
            LOG.warn("{} has no readable {}: it is left alone", directory, SegmentNames.PARTITION_METADATA);
        }
    }
}
