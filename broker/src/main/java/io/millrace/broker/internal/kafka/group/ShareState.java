package io.millrace.broker.internal.kafka.group;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * How far share groups have consumed partitions. The coordinator of groups knows the members of a share group and which partitions they have;
 * what becomes of records is the matter of whoever stands behind this interface, and asks it for nothing but the following.
 *
 * <ul>
 *   <li>A group's first member on a partition: {@link #initialize} with {@link #UNKNOWN_OFFSET}, whereupon the start is decided at the first
 *       fetch, by {@code share.auto.offset.reset} of the group.
 *   <li>AlterShareGroupOffsets, of a group without members: {@link #initialize} with the new start. Everything that was known of records
 *       is void.
 *   <li>DescribeShareGroupOffsets: {@link #summary}; the lag is the partition's end less its start offset, less what is complete behind it.
 *   <li>DeleteShareGroupOffsets, DeleteGroups, and deleted topics: {@link #delete}.
 * </ul>
 *
 * <p>Kafka's state epochs are not kept: they fence brokers that lead a share partition no longer, and here the cursor's own term does that.
 *
 * <p>May be called from any thread and must not block. Stages fail with exceptions of {@code org.apache.kafka.common.errors}, or are answered
 * to the client as an unknown server error. Source: KIP-932, Kafka's {@code Persister}.
 */
public interface ShareState {

    /** The offset where nothing was decided yet. */
    long UNKNOWN_OFFSET = -1;

    /**
     * A partition as a share group sees it.
     *
     * @param group id of the group
     * @param logId the topic's log
     * @param partition its number
     */
    record SharePartition(String group, UUID logId, int partition) {
        public SharePartition {
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(logId, "logId");
        }
    }

    /**
     * How far a group is.
     *
     * @param startOffset first offset that the group has not dealt with, or {@link #UNKNOWN_OFFSET}
     * @param completeCount records at or behind the start offset that it has dealt with, or -1 if that is not known
     */
    record Summary(long startOffset, int completeCount) {}

    /**
     * Begins anew.
     *
     * @param startOffset first offset to consume, or {@link #UNKNOWN_OFFSET}
     * @return completes when that is durable
     */
    CompletionStage<Void> initialize(SharePartition partition, long startOffset);

    /** Returns how far the group is; of one that was not initialized, {@link #UNKNOWN_OFFSET}. */
    CompletionStage<Summary> summary(SharePartition partition);

    /** Forgets the group here. Without effect if it is not known. */
    CompletionStage<Void> delete(SharePartition partition);
}
