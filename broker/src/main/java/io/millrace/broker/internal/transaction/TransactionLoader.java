package io.millrace.broker.internal.transaction;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.log.LogSlice;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Replays a partition of {@code __transaction_state} into its coordinator, slice by slice on the I/O pool. Only what is below the high watermark
 * is read: what is being synced comes again. Never on two threads at a time.
 */
final class TransactionLoader {

    private static final long WAIT_FOR_SYNC_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Partition partition;
    private final TransactionCoordinator coordinator;
    private final int sliceBytes;
    private final Executor io;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final long endOffset;
    private long nextOffset;

    private TransactionLoader(Partition partition, TransactionCoordinator coordinator, int sliceBytes, Executor io) {
        this.partition = partition;
        this.coordinator = coordinator;
        this.sliceBytes = sliceBytes;
        this.io = io;
        this.nextOffset = partition.offsets().logStartOffset();
        this.endOffset = partition.offsets().logEndOffset();
    }

    /** Replays; done when all that the log had at the time of this call is replayed. */
    static CompletionStage<Void> load(
            Partition partition, TransactionCoordinator coordinator, int sliceBytes, Executor io) {
        TransactionLoader loader = new TransactionLoader(partition, coordinator, sliceBytes, io);
        io.execute(loader::run);
        return loader.done;
    }

    private void run() {
        try {
            step();
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    private void step() {
        if (!partition.snapshot().online()) {
            throw new IllegalStateException(partition + " went offline while it was loaded");
        }
        if (nextOffset >= endOffset) {
            done.complete(null);
            return;
        }
        LogSlice slice = partition.read(nextOffset, sliceBytes);
        if (!slice.isEmpty()) {
            replay(slice.batches());
            nextOffset = slice.nextOffset();
        }
        if (slice.isEmpty()) {
            partition.shard().execute(() -> partition.shard().schedule(WAIT_FOR_SYNC_NS, () -> io.execute(this::run)));
        } else {
            io.execute(this::run);
        }
    }

    private void replay(ByteBuffer bytes) {
        RecordBatches batches = RecordBatches.over(bytes);
        while (batches.next()) {
            RecordBatch batch = batches.current();
            if (!batch.isControl()) {
                replay(batch);
            }
        }
    }

    private void replay(RecordBatch batch) {
        try (RecordCursor records = batch.records()) {
            while (records.next()) {
                ByteBuffer key = records.key();
                if (key != null) {
                    ByteBuffer value = records.value();
                    TransactionRecordCodec.decodeKey(key).ifPresent(id -> {
                        if (value == null) {
                            coordinator.replayRemoved(id);
                        } else {
                            coordinator.replay(TransactionRecordCodec.decodeValue(id, value));
                        }
                    });
                }
            }
        }
    }
}
