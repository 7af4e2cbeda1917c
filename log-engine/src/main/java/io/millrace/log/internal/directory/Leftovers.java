package io.millrace.log.internal.directory;

import io.millrace.log.PartitionId;
import io.millrace.log.StartKind;
import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What was being made or removed when a process ended: recognized by its name, and worthless. */
public final class Leftovers {
    /** Suffix of a log's directory while it is being created. */
    public static final String CREATING_SUFFIX = ".creating";

    /** Suffix of a log's directory that is being removed. */
    public static final String DELETED_SUFFIX = "-delete";

    private Leftovers() {}

    /** After a clean close there is nothing in the logs' own directories, of which there may be thousands. */
    static void remove(Path directory, StartKind kind) throws IOException {
        for (Path child : DurableFiles.list(directory)) {
            if (isLeftover(child)) {
                DurableFiles.deleteTree(child);
            } else if (kind != StartKind.CLEAN && isLogDirectory(child)) {
                for (Path grandchild : DurableFiles.list(child)) {
                    if (isLeftover(grandchild)) {
                        DurableFiles.deleteTree(grandchild);
                    }
                }
            }
        }
    }

    private static boolean isLeftover(Path path) {
        String name = DurableFiles.name(path);
        return name.endsWith(CREATING_SUFFIX)
                || name.endsWith(DELETED_SUFFIX)
                || name.endsWith(DurableFiles.TEMPORARY_SUFFIX);
    }

    private static boolean isLogDirectory(Path path) {
        return PartitionId.fromDirectoryName(DurableFiles.name(path)).isPresent() && Files.isDirectory(path);
    }
}
