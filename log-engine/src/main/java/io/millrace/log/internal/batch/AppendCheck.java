package io.millrace.log.internal.batch;

import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.LogConfig;
import io.millrace.wire.record.BatchLimits;
import io.millrace.wire.record.CorruptBatchException;
import io.millrace.wire.record.InvalidBatchException;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordsSummary;
import io.millrace.wire.record.TimestampType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether batches may be appended, and gives them their offsets and epoch in place. Holds the scratch objects of one log; for its
 * shard only.
 */
public final class AppendCheck {
    /** What an append is checked against besides its own bytes. */
    public interface Producers {
        /** As {@code ProducerStates.check}. */
        @Nullable
        AppendResult check(BatchHeader header, boolean checkSequence);

        /** As {@code ProducerStates.nextSequence}. */
        int nextSequence(BatchHeader header);
    }

    private final RecordBatches batches = new RecordBatches();
    private final BatchHeader header = new BatchHeader();
    private final BatchLimits logLimits = BatchLimits.forLog(Integer.MAX_VALUE);
    private BatchLimits clientLimits;
    private long nextOffset;

    private LogConfig config;
    private long logAppendTimeMs;

    public AppendCheck(LogConfig config) {
        this.config = config;
        clientLimits = BatchLimits.forClient(config.maxBatchBytes());
    }

    public void reconfigure(LogConfig newConfig) {
        config = newConfig;
        clientLimits = BatchLimits.forClient(newConfig.maxBatchBytes());
    }

    /** After a check that found nothing wrong: the log end offset once the batches are written. */
    public long nextOffset() {
        return nextOffset;
    }

    /** After a check that found nothing wrong: the time that the records were given, or -1 if they keep their own. */
    public long logAppendTimeMs() {
        return logAppendTimeMs;
    }

    /**
     * Checks the batches between position and limit, and sets their offsets and epoch.
     *
     * @param logEnd offset that the first record gets
     * @param latestEpoch latest epoch of the log
     * @param nowMs wall clock
     * @return why they may not be appended, or {@code null}
     * @throws io.millrace.wire.record.CorruptBatchException and relatives, if a batch is damaged or breaks a rule
     */
    public @Nullable AppendResult check(
            ByteBuffer buffer,
            int leaderEpoch,
            AppendOrigin origin,
            long logEnd,
            int latestEpoch,
            long nowMs,
            Producers producers) {
        if (leaderEpoch < 0) {
            throw new IllegalArgumentException("a leader epoch is 0 or more, not " + leaderEpoch);
        }
        if (leaderEpoch < latestEpoch) {
            return new AppendResult.StaleLeaderEpoch(latestEpoch, leaderEpoch);
        }
        batches.reset(buffer);
        nextOffset = logEnd;
        boolean stamped =
                origin != AppendOrigin.REPLICATION && config.timestamps().type() == TimestampType.LOG_APPEND_TIME;
        logAppendTimeMs = stamped ? nowMs : RecordBatch.NO_TIMESTAMP;
        int epoch = latestEpoch;
        int count = 0;
        while (batches.next()) {
            if (count++ > 0 && origin.isClient()) {
                throw new InvalidBatchException("a client's append is one batch, and here is more than one");
            }
            RecordBatch batch = batches.current();
            AppendResult refused = origin == AppendOrigin.REPLICATION
                    ? checkReplicated(batch, leaderEpoch, epoch)
                    : checkNew(batch, leaderEpoch, origin, nowMs, producers);
            if (refused != null) {
                return refused;
            }
            epoch = batch.partitionLeaderEpoch();
            nextOffset = batch.nextOffset();
        }
        if (batches.partialBytes() > 0) {
            throw new CorruptBatchException("an append ends within a batch: " + batches.partialBytes()
                    + " bytes are left after " + count + " whole batches");
        }
        if (count == 0) {
            throw new InvalidBatchException("an append needs at least one batch, and here is none");
        }
        return null;
    }

    private @Nullable AppendResult checkReplicated(RecordBatch batch, int leaderEpoch, int latestEpoch) {
        batch.validate(logLimits);
        if (batch.baseOffset() != nextOffset) {
            return new AppendResult.UnexpectedOffset(nextOffset, batch.baseOffset());
        }
        int epoch = batch.partitionLeaderEpoch();
        if (epoch < 0) {
            throw new InvalidBatchException(
                    "a replicated batch has a leader epoch, and the one at offset " + nextOffset + " has " + epoch);
        }
        if (epoch < latestEpoch) {
            return new AppendResult.StaleLeaderEpoch(latestEpoch, epoch);
        }
        // Written by a leader after the one that was asked: to be fetched from that one.
        return epoch > leaderEpoch ? new AppendResult.StaleLeaderEpoch(epoch, leaderEpoch) : null;
    }

    private @Nullable AppendResult checkNew(
            RecordBatch batch, int leaderEpoch, AppendOrigin origin, long nowMs, Producers producers) {
        boolean fromClient = origin.isClient();
        if (fromClient) {
            RecordsSummary records = batch.validateRecords(clientLimits);
            RecordRules.check(batch, records, config, nowMs);
            if (batch.timestampType() == TimestampType.CREATE_TIME
                    && batch.maxTimestampMs() != records.maxTimestampMs()) {
                RecordBatch.setMaxTimestamp(
                        batch.buffer(), batch.position(), TimestampType.CREATE_TIME, records.maxTimestampMs());
            }
        } else {
            batch.validate(logLimits);
        }
        if (origin == AppendOrigin.SHARED_PRODUCER) {
            continueSequence(batch, producers);
        }
        AppendResult refused = producers.check(header.wrap(batch.buffer(), batch.position()), fromClient);
        if (refused == null) {
            if (logAppendTimeMs != RecordBatch.NO_TIMESTAMP) {
                RecordBatch.setMaxTimestamp(
                        batch.buffer(), batch.position(), TimestampType.LOG_APPEND_TIME, logAppendTimeMs);
            }
            RecordBatch.setBaseOffset(batch.buffer(), batch.position(), nextOffset);
            RecordBatch.setPartitionLeaderEpoch(batch.buffer(), batch.position(), leaderEpoch);
        }
        return refused;
    }

    /** None of those that share a producer id knows where the others are. */
    private void continueSequence(RecordBatch batch, Producers producers) {
        header.wrap(batch.buffer(), batch.position());
        if (!header.hasProducerId()) {
            return;
        }
        int next = producers.nextSequence(header);
        if (header.baseSequence() != next) {
            RecordBatch.setProducer(
                    batch.buffer(), batch.position(), header.producerId(), header.producerEpoch(), next);
        }
    }
}
