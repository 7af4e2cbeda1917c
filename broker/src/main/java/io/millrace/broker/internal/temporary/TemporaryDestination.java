package io.millrace.broker.internal.temporary;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.wire.name.TemporaryName;

/**
 * A temporary queue or topic.
 *
 * @param name what clients call it
 * @param log what it would be in the metadata, which know nothing of it
 * @param owner the connection that alone may consume from it
 * @param partition where its messages are
 */
public record TemporaryDestination(TemporaryName name, LogInfo log, TemporaryOwner owner, Partition partition) {

    /** Returns the size of the largest batch that it takes. */
    public int maxBatchBytes() {
        return partition.maxBatchBytes();
    }
}
