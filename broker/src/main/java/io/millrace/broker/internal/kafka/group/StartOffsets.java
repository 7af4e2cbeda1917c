package io.millrace.broker.internal.kafka.group;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps where share groups shall begin, in memory: as long as they do not consume anything here, that is all there is to know. After a
 * restart it is as if nothing had been decided.
 */
final class StartOffsets implements ShareState {

    private static final Summary NOTHING = new Summary(0, UNKNOWN_OFFSET, 0);

    private final Map<SharePartition, Summary> summaries = new ConcurrentHashMap<>();

    @Override
    public CompletionStage<Void> initialize(SharePartition partition, int stateEpoch, long startOffset) {
        summaries.put(partition, new Summary(stateEpoch, startOffset, 0));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Summary> summary(SharePartition partition) {
        return CompletableFuture.completedFuture(summaries.getOrDefault(partition, NOTHING));
    }

    @Override
    public CompletionStage<Void> delete(SharePartition partition) {
        summaries.remove(partition);
        return CompletableFuture.completedFuture(null);
    }
}
