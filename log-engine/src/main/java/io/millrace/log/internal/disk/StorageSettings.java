package io.millrace.log.internal.disk;

import io.millrace.log.SyncObserver;
import io.millrace.wire.time.TimeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * How the log storage of a node is opened.
 *
 * @param paths its data directories, at least one
 * @param time clocks
 * @param random makes up identities
 * @param brokerId whose the directories are or become
 * @param clusterId the cluster that they belong to, or will; empty for the one that they know, or a new one
 * @param bootId of the machine now, or empty
 * @param reserveBytes held back in each directory
 * @param journalFileBytes size of each of the two files of a directory's commit journal; 0 for none
 * @param maxOpenFiles most files that are open at a time
 * @param threads makes the threads; without, nothing happens by itself
 * @param syncObserver told of every round of the syncers
 */
public record StorageSettings(
        List<Path> paths,
        TimeSource time,
        RandomGenerator random,
        int brokerId,
        Optional<String> clusterId,
        String bootId,
        long reserveBytes,
        long journalFileBytes,
        int maxOpenFiles,
        Optional<ThreadFactory> threads,
        SyncObserver syncObserver) {

    public StorageSettings {
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("at least one data directory is needed");
        }
        paths = List.copyOf(paths);
    }
}
