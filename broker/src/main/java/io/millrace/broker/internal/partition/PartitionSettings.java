package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.RedeliveryPolicy;
import io.millrace.wire.name.DestinationKind;
import java.util.UUID;

/**
 * What a partition is told when its leader takes it over.
 *
 * @param logId identity of its log
 * @param kind queue or topic
 * @param leaderEpoch epoch of this leader
 * @param brokerEpoch epoch of this broker since its start
 * @param deleteConsumed whether records leave once no cursor needs them, as in a queue, and are else never removed while one does
 * @param consumedRetentionMs how long records stay after they were consumed, where they leave then; 0 or more
 * @param redelivery how long records rest that came back unacknowledged
 * @param coldReadBytes distance from the end of the log from which on a read may wait for the disk, and so leaves the shard
 * @param imageEveryBytes how much is written to the cursor log before an image replaces it
 * @param inMemory whether it is a temporary destination: nothing of it survives, and what is consumed leaves at once
 */
public record PartitionSettings(
        UUID logId,
        DestinationKind kind,
        int leaderEpoch,
        long brokerEpoch,
        boolean deleteConsumed,
        long consumedRetentionMs,
        RedeliveryPolicy redelivery,
        long coldReadBytes,
        int imageEveryBytes,
        boolean inMemory) {

    /** Settings of a partition on disk. */
    public PartitionSettings(
            UUID logId,
            DestinationKind kind,
            int leaderEpoch,
            long brokerEpoch,
            boolean deleteConsumed,
            long consumedRetentionMs,
            RedeliveryPolicy redelivery,
            long coldReadBytes,
            int imageEveryBytes) {
        this(
                logId,
                kind,
                leaderEpoch,
                brokerEpoch,
                deleteConsumed,
                consumedRetentionMs,
                redelivery,
                coldReadBytes,
                imageEveryBytes,
                false);
    }

    /** Returns the settings of a partition in memory: no read waits for a disk, and there is no cursor log. */
    public static PartitionSettings inMemory(UUID logId, DestinationKind kind, int leaderEpoch, long brokerEpoch) {
        return new PartitionSettings(
                logId,
                kind,
                leaderEpoch,
                brokerEpoch,
                false,
                0,
                RedeliveryPolicy.AT_ONCE,
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                true);
    }
}
