package io.millrace.broker.internal.partition;

import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.DiskFullException;
import io.millrace.log.MemoryFullException;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordFormatException;
import io.millrace.wire.record.TimestampType;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;

/** Appends batches of clients to the data log and says in the words of the protocol why it does not. On the shard. */
final class LogAppender {

    private static final long NO_TIME = -1;

    private final PartitionLog log;
    private final int leaderEpoch;

    LogAppender(PartitionLog log, int leaderEpoch) {
        this.log = log;
        this.leaderEpoch = leaderEpoch;
    }

    /**
     * A batch that is in the log, by this append or an earlier one.
     *
     * @param bytes what this append wrote, 0 if the batch was there already
     * @param logAppendTimeMs the time that the log gave it, or -1
     */
    record Written(long baseOffset, long endOffset, int bytes, long logAppendTimeMs) {}

    /**
     * Appends a batch, or refuses it by the reply.
     *
     * @param shared whether several clients write under its producer id
     */
    Optional<Written> append(ByteBuffer batch, int clientEpoch, boolean shared, SendReply refusal) {
        if (clientEpoch != leaderEpoch) {
            refusal.onFailed(
                    clientEpoch < leaderEpoch ? ErrorCode.STALE_EPOCH : ErrorCode.NOT_LEADER,
                    "leader epoch of " + log.partition() + " is " + leaderEpoch + ", the request names " + clientEpoch);
            return Optional.empty();
        }
        return guarded(refusal, () -> {
            RecordBatch view = RecordBatch.at(batch, batch.position());
            if (view.sizeInBytes() != batch.remaining()) {
                refusal.onFailed(
                        ErrorCode.CORRUPT_BATCH,
                        "a send carries exactly one batch; after " + view.sizeInBytes() + " bytes "
                                + (batch.remaining() - view.sizeInBytes()) + " are left");
                return Optional.empty();
            }
            if (!view.hasProducerId()) {
                refusal.onFailed(ErrorCode.INVALID_REQUEST, "a send carries a producer id; allocate one first");
                return Optional.empty();
            }
            AppendOrigin origin = shared ? AppendOrigin.SHARED_PRODUCER : AppendOrigin.CLIENT;
            return written(log.append(batch, leaderEpoch, origin), refusal);
        });
    }

    /** Appends a batch of a Kafka client, or refuses it by the reply. */
    Optional<Written> produce(ByteBuffer batch, SendReply refusal) {
        return guarded(refusal, () -> written(log.append(batch, leaderEpoch, AppendOrigin.CLIENT), refusal));
    }

    private static Optional<Written> guarded(SendReply refusal, Supplier<Optional<Written>> append) {
        try {
            return append.get();
        } catch (BatchTooLargeException e) {
            refusal.onRefused(ErrorCode.MESSAGE_TOO_LARGE, e);
        } catch (RecordFormatException e) {
            refusal.onRefused(ErrorCode.CORRUPT_BATCH, e);
        } catch (MemoryFullException e) {
            refusal.onRefused(ErrorCode.LIMIT_EXCEEDED, e);
        } catch (DiskFullException e) {
            refusal.onRefused(ErrorCode.DISK_FULL, e);
        } catch (DirectoryReadOnlyException e) {
            refusal.onRefused(ErrorCode.STORAGE_UNAVAILABLE, e);
        }
        return Optional.empty();
    }

    /** Appends a batch of the broker itself, or refuses it by the reply. */
    Optional<Written> appendOwn(ByteBuffer batch, Reply<?> reply) {
        SendReply refusal = new SendReply() {
            @Override
            public void onStored(long baseOffset) {
                throw new IllegalStateException("the appender only refuses");
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                reply.onFailed(code, message);
            }
        };
        try {
            return written(log.append(batch, leaderEpoch, AppendOrigin.COORDINATOR), refusal);
        } catch (BatchTooLargeException e) {
            reply.onFailed(ErrorCode.MESSAGE_TOO_LARGE, e.getMessage());
        } catch (DiskFullException e) {
            reply.onFailed(ErrorCode.DISK_FULL, e.getMessage());
        } catch (DirectoryReadOnlyException e) {
            reply.onFailed(ErrorCode.STORAGE_UNAVAILABLE, e.getMessage());
        }
        return Optional.empty();
    }

    private Optional<Written> written(AppendResult result, SendReply refusal) {
        return switch (result) {
            case AppendResult.Appended(long first, long last, int bytes, long timeMs) ->
                Optional.of(new Written(first, last + 1, bytes, timeMs));
            case AppendResult.Duplicate(long first, long last, long timeMs) ->
                Optional.of(new Written(
                        first,
                        last + 1,
                        0,
                        log.config().timestamps().type() == TimestampType.LOG_APPEND_TIME ? timeMs : NO_TIME));
            case AppendResult.OutOfOrderSequence(long id, short epoch, int expected, int actual) ->
                refused(
                        refusal,
                        ErrorCode.OUT_OF_ORDER_SEQUENCE,
                        "producer " + id + ", epoch " + epoch + ": sequence " + actual + " came where " + expected
                                + " was expected");
            case AppendResult.ProducerFenced(long id, short current, short given) ->
                refused(
                        refusal,
                        ErrorCode.PRODUCER_FENCED,
                        "producer " + id + " has epoch " + current + " by now, the batch " + given);
            case AppendResult.StaleLeaderEpoch(int current, int given) ->
                refused(
                        refusal,
                        ErrorCode.STALE_EPOCH,
                        log.partition() + " has seen leader epoch " + current + ", this leader has " + given);
            case AppendResult.UnexpectedOffset(long expected, long actual) ->
                throw new IllegalStateException("a client's batch was refused for its offset " + actual
                        + ", which is set at append; the end of " + log.partition() + " is " + expected);
        };
    }

    private static Optional<Written> refused(SendReply reply, ErrorCode code, String why) {
        reply.onFailed(code, why);
        return Optional.empty();
    }
}
