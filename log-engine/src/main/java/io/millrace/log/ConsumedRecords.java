package io.millrace.log;

import java.util.concurrent.CompletionStage;

/**
 * Tells which records of a log were consumed by everybody who has to, so that the cleaner may take them out
 * ({@link PartitionLog#removeConsumed}). Asked on the log's shard.
 */
public interface ConsumedRecords {
    /**
     * Counts, as things are now, the offsets that may go. Whether they hold a record does not matter.
     *
     * @param endOffset exclusive
     */
    long countIn(long firstOffset, long endOffset);

    /**
     * Finds those offsets. Answered when nothing that happens to this broker can make any of them needed again; fails with a
     * {@link LogClosedException} if that does not come.
     *
     * @param endOffset exclusive
     */
    CompletionStage<Found> find(long firstOffset, long endOffset);

    /** Offsets that may go. */
    interface Found {
        /** From any thread. */
        boolean contains(long offset);

        /** Whether nobody came, or went back, who needs some of them now. On the log's shard. */
        boolean stillHolds();
    }
}
