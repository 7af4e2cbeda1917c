package io.millrace.broker.internal.destination;

import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIdsResult;
import io.millrace.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives out producer ids, each once in the life of the cluster. The broker takes them from the metadata a block at a time; those that it
 * has not given out when it stops are lost, which costs nothing. Runs on the control shard, {@link #allocate} from any thread.
 */
public final class ProducerIds {

    private final ClusterMetadata metadata;
    private final Executor control;
    private final Supplier<UUID> operationIds;
    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ArrayDeque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    private long nextId;
    private long endId;
    private boolean asking;

    /**
     * Creates the service without a block.
     *
     * @param operationIds makes ids of commands
     * @param brokerEpoch the epoch granted at this start
     */
    public ProducerIds(
            ClusterMetadata metadata,
            Executor control,
            Supplier<UUID> operationIds,
            int brokerId,
            LongSupplier brokerEpoch) {
        this.metadata = metadata;
        this.control = control;
        this.operationIds = operationIds;
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
    }

    /** Returns a new id; fails with {@link RequestFailedException} or what the controller says. */
    public CompletableFuture<Long> allocate() {
        CompletableFuture<Long> id = new CompletableFuture<>();
        control.execute(() -> {
            waiting.add(id);
            giveOut();
        });
        return id;
    }

    private void giveOut() {
        while (!waiting.isEmpty() && nextId < endId) {
            waiting.remove().complete(nextId++);
        }
        if (!waiting.isEmpty() && !asking) {
            asking = true;
            metadata.controller()
                    .submit(new MetadataCommand.AllocateProducerIds(
                            operationIds.get(), brokerId, brokerEpoch.getAsLong()))
                    .whenCompleteAsync(this::onBlock, control);
        }
    }

    private void onBlock(@Nullable AllocateProducerIdsResult result, @Nullable Throwable failure) {
        asking = false;
        if (result instanceof AllocateProducerIdsResult.Allocated(long firstId, int count)) {
            nextId = firstId;
            endId = firstId + count;
            giveOut();
            return;
        }
        Throwable cause = failure != null
                ? failure
                : new RequestFailedException(
                        ErrorCode.NOT_LEADER, "another process has taken over the id of this broker: " + result);
        for (CompletableFuture<Long> id = waiting.poll(); id != null; id = waiting.poll()) {
            id.completeExceptionally(cause);
        }
    }
}
