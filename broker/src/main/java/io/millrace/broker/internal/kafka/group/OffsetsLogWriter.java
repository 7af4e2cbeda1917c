package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.wire.ErrorCode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * Appends what the coordinator decided to the partitions of {@code __consumer_offsets}, each on its shard, and tells the coordinator of
 * their high watermarks: answers leave once their records are below.
 *
 * <p>{@link #append} waits for the shard, as long as it takes: whether the records were written must be known. It is called on the
 * coordinator's threads only, never on a shard. {@link #close} ends such waits when shards have stopped.
 */
final class OffsetsLogWriter implements PartitionWriter, AutoCloseable {

    private record Registration(TopicPartition partition, Listener listener) {}

    private record Listening(Partition partition, Runnable onProgress) {}

    private final OffsetsTopic topic;
    private final Map<Registration, Listening> listeners = new ConcurrentHashMap<>();
    /** By the thread that waits. */
    private final Map<Long, CompletableFuture<Long>> appends = new ConcurrentHashMap<>();

    private volatile boolean closed;

    OffsetsLogWriter(OffsetsTopic topic) {
        this.topic = topic;
    }

    @Override
    public void registerListener(TopicPartition id, Listener listener) {
        Partition partition = topic.open(id);
        Runnable onProgress =
                () -> listener.onHighWatermarkUpdated(id, partition.snapshot().highWatermark());
        listeners.put(new Registration(id, listener), new Listening(partition, onProgress));
        partition.watch(onProgress);
        // What was synced just before is not told by the watch.
        onProgress.run();
    }

    @Override
    public void deregisterListener(TopicPartition id, Listener listener) {
        Listening removed = listeners.remove(new Registration(id, listener));
        if (removed != null) {
            removed.partition.unwatch(removed.onProgress);
        }
    }

    /** Kafka's class of settings; the coordinator wants to know how large a batch may be. */
    @Override
    public LogConfig config(TopicPartition id) {
        return new LogConfig(Map.of("max.message.bytes", topic.open(id).maxBatchBytes()));
    }

    @Override
    public long append(TopicPartition id, VerificationGuard guard, MemoryRecords batch, short transactionVersion) {
        Partition partition = topic.open(id);
        CompletableFuture<Long> written = new CompletableFuture<>();
        long waiting = Thread.currentThread().threadId();
        appends.put(waiting, written);
        try {
            if (closed) {
                throw shuttingDown();
            }
            partition.shard().execute(() -> partition.appendOwn(batch.buffer(), completing(written)));
            return written.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiException known ? known : new KafkaException(e.getCause());
        } finally {
            appends.remove(waiting);
        }
    }

    private static Reply<Long> completing(CompletableFuture<Long> written) {
        return new Reply<>() {
            @Override
            public void onDone(Long endOffset) {
                written.complete(endOffset);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                written.completeExceptionally(refusal(code, message));
            }
        };
    }

    /** In words that the coordinator understands: clients try again after all of them but the first. */
    private static ApiException refusal(ErrorCode code, String message) {
        return switch (code) {
            case MESSAGE_TOO_LARGE -> new RecordTooLargeException(message);
            case DISK_FULL -> new CoordinatorNotAvailableException(message);
            case STORAGE_UNAVAILABLE -> new KafkaStorageException(message);
            default -> new NotLeaderOrFollowerException(message);
        };
    }

    /** Nothing to verify: whoever wrote a transaction's offsets was checked by its coordinator. */
    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition id, String transactionalId, long producerId, short producerEpoch, int apiVersion) {
        return CompletableFuture.completedFuture(VerificationGuard.SENTINEL);
    }

    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition id, long offset) {
        return CompletableFuture.failedFuture(
                new InvalidRequestException(id + " is compacted, and not cut off at offset " + offset));
    }

    /** Ends all waits: the shards have stopped, or are about to. */
    @Override
    public void close() {
        closed = true;
        appends.values().forEach(waiting -> waiting.completeExceptionally(shuttingDown()));
    }

    private static NotLeaderOrFollowerException shuttingDown() {
        return new NotLeaderOrFollowerException("the broker is shutting down");
    }
}
