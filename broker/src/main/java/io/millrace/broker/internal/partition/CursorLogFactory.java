package io.millrace.broker.internal.partition;

import io.millrace.log.PartitionLog;
import io.millrace.log.SyncListener;
import io.millrace.wire.MillraceException;
import java.util.function.Consumer;

/** Creates the cursor log of a partition when the first cursor needs one: files are made, so it takes a while. */
@FunctionalInterface
public interface CursorLogFactory {

    /**
     * Creates the log elsewhere and reports on the partition's shard.
     *
     * @param listener told of syncs of the new log
     * @param created takes it
     * @param failed is told why there is none
     */
    void create(SyncListener listener, Consumer<PartitionLog> created, Consumer<MillraceException> failed);
}
