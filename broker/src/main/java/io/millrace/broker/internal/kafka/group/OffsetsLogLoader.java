package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.PartitionSnapshot;
import io.millrace.log.LogSlice;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a partition of {@code __consumer_offsets} from its start to where it ended when it was asked, and has the coordinator replay it.
 *
 * <p>On the I/O pool, slice by slice, so that one partition neither keeps a thread for long nor holds more memory than a slice. Only what is
 * below the high watermark is read: for the rest, which is being synced, it comes again.
 */
final class OffsetsLogLoader implements CoordinatorLoader<CoordinatorRecord> {

    private static final Logger LOG = LoggerFactory.getLogger(OffsetsLogLoader.class);

    private final OffsetsTopic topic;
    private final Deserializer<CoordinatorRecord> records;
    private final int sliceBytes;
    private final Executor io;
    private final Time time;
    private volatile boolean closed;

    /**
     * Creates a loader.
     *
     * @param sliceBytes what is read at a time, unless a batch is larger
     */
    OffsetsLogLoader(
            OffsetsTopic topic, Deserializer<CoordinatorRecord> records, int sliceBytes, Executor io, Time time) {
        this.topic = topic;
        this.records = records;
        this.sliceBytes = sliceBytes;
        this.io = io;
        this.time = time;
    }

    @Override
    public CompletableFuture<LoadSummary> load(TopicPartition id, CoordinatorPlayback<CoordinatorRecord> playback) {
        Loading loading = new Loading(id, playback);
        io.execute(loading);
        return loading.done;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** One partition on its way. Never on two threads at a time. */
    private final class Loading implements Runnable {

        private final TopicPartition id;
        private final CoordinatorPlayback<CoordinatorRecord> playback;
        private final CompletableFuture<LoadSummary> done = new CompletableFuture<>();
        private final long startMs = time.milliseconds();
        private long nextOffset = -1;
        private long endOffset;
        private long recordCount;
        private long byteCount;

        private Loading(TopicPartition id, CoordinatorPlayback<CoordinatorRecord> playback) {
            this.id = id;
            this.playback = playback;
        }

        @Override
        public void run() {
            try {
                step();
            } catch (RuntimeException e) {
                // Whoever asked says what that means for the groups of this partition.
                done.completeExceptionally(e);
            }
        }

        private void step() {
            if (closed) {
                throw new IllegalStateException("the broker is shutting down");
            }
            Partition partition = topic.open(id);
            if (nextOffset < 0) {
                nextOffset = partition.offsets().logStartOffset();
                endOffset = partition.offsets().logEndOffset();
            }
            LogSlice slice = partition.read(nextOffset, sliceBytes);
            if (!slice.isEmpty()) {
                replay(slice.batches());
                nextOffset = slice.nextOffset();
            }
            if (nextOffset >= endOffset) {
                finish();
            } else if (slice.isEmpty()) {
                new Waiting(partition).begin();
            } else {
                io.execute(this);
            }
        }

        /** What is being synced comes when it is. */
        private final class Waiting implements Runnable {
            private final Partition partition;
            private final AtomicBoolean over = new AtomicBoolean();

            private Waiting(Partition partition) {
                this.partition = partition;
            }

            void begin() {
                partition.watch(this);
                // It may have come just before.
                run();
            }

            @Override
            public void run() {
                PartitionSnapshot now = partition.snapshot();
                if ((now.highWatermark() > nextOffset || !now.online()) && over.compareAndSet(false, true)) {
                    partition.unwatch(this);
                    io.execute(Loading.this);
                }
            }
        }

        private void finish() {
            if (endOffset > 0) {
                playback.updateLastWrittenOffset(endOffset);
                playback.updateLastCommittedOffset(endOffset);
            }
            done.complete(new LoadSummary(startMs, time.milliseconds(), 0, recordCount, byteCount));
        }

        private void replay(ByteBuffer batches) {
            byteCount += batches.remaining();
            for (RecordBatch batch : MemoryRecords.readableRecords(batches).batches()) {
                if (batch.isControlBatch()) {
                    replayMarker(batch);
                } else {
                    for (Record record : batch) {
                        recordCount++;
                        replay(batch, record);
                    }
                }
            }
        }

        private void replayMarker(RecordBatch batch) {
            for (Record marker : batch) {
                recordCount++;
                ControlRecordType type = ControlRecordType.parse(marker.key());
                if (type == ControlRecordType.COMMIT || type == ControlRecordType.ABORT) {
                    playback.replayEndTransactionMarker(
                            batch.producerId(),
                            batch.producerEpoch(),
                            type == ControlRecordType.COMMIT ? TransactionResult.COMMIT : TransactionResult.ABORT);
                }
            }
        }

        private void replay(RecordBatch batch, Record record) {
            CoordinatorRecord read;
            try {
                read = records.deserialize(record.key(), record.value());
            } catch (Deserializer.UnknownRecordTypeException e) {
                LOG.warn(
                        "Skipping record {} of {}: it is of type {}, which this version does not know",
                        record.offset(),
                        id,
                        e.unknownType());
                return;
            }
            playback.replay(record.offset(), batch.producerId(), batch.producerEpoch(), read);
        }
    }
}
