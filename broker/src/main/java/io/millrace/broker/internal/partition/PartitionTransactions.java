package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.coordinator.cursor.PendingTransactions;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.log.OpenTransaction;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordFormatException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions in a partition: what their coordinators ask of its two logs. Each log has an end of its own, a marker in the data log and a
 * record in the cursor log. A transaction is open in a log from its first record, or acknowledgement, to its end there.
 *
 * <p>A log ends the transaction of a producer id that it has open if its epoch is at most the one that is named. What is older than that was
 * left behind by somebody who is gone, and is rolled back, by whatever comes later under the producer id. If there is nothing to end, an end
 * is done, so that it can be told again; but durable it is only with what the log has by then, since that may have ended it before.
 *
 * <p>On the shard.
 */
public final class PartitionTransactions {

    /** What operators read says that it is of the partition. */
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    /**
     * So long an end waits, twice at most, to be synced with what comes next, unless it is awaited. Only the coordinator waits for it, and not before anything it
     * does; while clients that commit one transaction after the other have it synced with the records of their next one.
     */
    private static final long SYNC_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int MARKER_BYTES = 256;
    private static final int UNKNOWN_COORDINATOR_EPOCH = 0;

    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final PartitionConsumers consumers;
    private final TransactionalRecords records;
    private final PartitionCursorLog cursorLog;
    private final LogAppender appender;
    private final WaitingSends waitingSends;
    private final Shard shard;
    private final PartitionEdge edge;
    private final PartitionMetrics metrics;
    private final LongSupplier highWatermark;
    private final PartitionAppends.Events events;
    private final Runnable stable;
    /** Epochs of the transactions that are open in the data log and known to be in the log of their coordinator, by producer id. */
    private final Map<Long, Short> registered = new HashMap<>();

    private boolean syncScheduled;
    /** Whether acknowledgements may be open; until somebody looks, nobody knows what the log had. */
    private volatile boolean acknowledging = true;

    /**
     * Creates it for a partition.
     *
     * @param stable told when a marker was appended, so that readers of what is decided may have more
     */
    PartitionTransactions(
            PartitionLog data,
            PartitionCursors cursors,
            PartitionConsumers consumers,
            TransactionalRecords records,
            PartitionCursorLog cursorLog,
            LogAppender appender,
            WaitingSends waitingSends,
            Shard shard,
            PartitionEdge edge,
            PartitionMetrics metrics,
            LongSupplier highWatermark,
            PartitionAppends.Events events,
            Runnable stable) {
        this.data = data;
        this.cursors = cursors;
        this.consumers = consumers;
        this.records = records;
        this.cursorLog = cursorLog;
        this.appender = appender;
        this.waitingSends = waitingSends;
        this.shard = shard;
        this.edge = edge;
        this.metrics = metrics;
        this.highWatermark = highWatermark;
        this.events = events;
        this.stable = stable;
    }

    // ---- what is open ---------------------------------------------------------------------------------------------

    /**
     * It is durable that this very transaction has this data log: its coordinator ends it here, whatever happens. Without effect if it is not open
     * here any more.
     */
    public void onRegistered(ProducerIdentity transaction) {
        if (isOpen(transaction)) {
            registered.put(transaction.id(), transaction.epoch());
        }
    }

    /**
     * Returns whether this very transaction is open in the data log, and known to be in the log of its coordinator: it may be given more. After a
     * restart nobody knows that: a crash may have left the records here and taken those of the coordinator.
     */
    public boolean isRegistered(ProducerIdentity transaction) {
        return isOpen(transaction) && Short.valueOf(transaction.epoch()).equals(registered.get(transaction.id()));
    }

    /** Returns whether the data log has records of this very transaction, which has not ended. */
    public boolean isOpen(ProducerIdentity transaction) {
        return !edge.isOffline() && data.openTransactionEpoch(transaction.id()) == transaction.epoch();
    }

    /** Returns whether something may be open in one of the logs; from any thread. */
    public boolean mayBeOpen() {
        return acknowledging || data.lastStableOffset() < data.logEndOffset();
    }

    /** Returns what is open in a log. */
    public List<ProducerIdentity> open(Part part) {
        if (edge.isOffline()) {
            return List.of();
        }
        return switch (part) {
            case DATA ->
                data.openTransactions().stream()
                        .map(open -> new ProducerIdentity(open.producerId(), open.epoch()))
                        .toList();
            case CURSOR -> {
                List<ProducerIdentity> open = cursors.transactions().open();
                acknowledging = !open.isEmpty();
                yield open;
            }
        };
    }

    /**
     * Returns what is open in a log, and where its records begin, by which a transaction is told from another one under the same identity. For
     * acknowledgements that is empty: those are made under identities that never come again.
     */
    public Map<ProducerIdentity, OptionalLong> openSince(Part part) {
        Map<ProducerIdentity, OptionalLong> since = new HashMap<>();
        open(part).forEach(open -> since.put(open, OptionalLong.empty()));
        if (part == Part.DATA && !since.isEmpty()) {
            for (OpenTransaction open : data.openTransactions()) {
                since.put(new ProducerIdentity(open.producerId(), open.epoch()), OptionalLong.of(open.firstOffset()));
            }
        }
        return since;
    }

    // ---- acknowledgements -----------------------------------------------------------------------------------------

    /**
     * Acknowledges records in a transaction, so that they are with nobody until it ends. Answered when that is written, with what was refused;
     * fails with {@link ErrorCode#PRODUCER_FENCED} if the transaction, or a later one under the same producer id, is known to have ended. One of
     * an older epoch that is still open is rolled back.
     */
    public void acknowledge(
            List<AcknowledgedRecords> acknowledged,
            ProducerIdentity transaction,
            Reply<List<List<OffsetRange>>> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            PendingTransactions open = cursors.transactions();
            if (!open.admits(transaction)) {
                reply.onFailed(
                        ErrorCode.PRODUCER_FENCED,
                        "the transaction of " + transaction + " has ended in " + data.partition()
                                + ": nothing can be acknowledged in it any more");
                return;
            }
            // Also if all cursors are gone: who asks whether it is open here is not to think that something is lost.
            open.begin(transaction);
            acknowledging = true;
            List<List<OffsetRange>> refused = acknowledged.stream()
                    .map(each -> consumers.acknowledgePending(each, transaction))
                    .toList();
            cursorLog.answerWhenWritten(reply, refused);
            events.changed();
        });
    }

    // ---- appends --------------------------------------------------------------------------------------------------

    /**
     * Rolls back what a producer id has open under an older epoch than the batch that is to be appended, if that is one of a transaction.
     *
     * @return whether it may be appended; if not, the reply was told
     */
    boolean makeWay(ByteBuffer batch, BiConsumer<ErrorCode, String> refused) {
        if (!TransactionalRecords.areTransactional(batch)) {
            return true;
        }
        long producerId = batch.getLong(batch.position() + RecordBatch.PRODUCER_ID);
        short epoch = batch.getShort(batch.position() + RecordBatch.PRODUCER_EPOCH);
        short open = data.openTransactionEpoch(producerId);
        if (open < 0 || open >= epoch || !isSound(batch)) {
            return true;
        }
        ProducerIdentity left = new ProducerIdentity(producerId, open);
        Reply<Boolean> reply = new Reply<>() {
            @Override
            public void onDone(Boolean done) {}

            @Override
            public void onFailed(ErrorCode code, String message) {
                refused.accept(code, message);
            }
        };
        logAbandoned(left);
        return append(left, false, UNKNOWN_COORDINATOR_EPOCH, reply).isPresent();
    }

    /** What is damaged must not end anything. */
    private static boolean isSound(ByteBuffer batch) {
        try {
            return RecordBatch.at(batch, batch.position()).isCrcValid();
        } catch (RecordFormatException e) {
            return false;
        }
    }

    private Optional<LogAppender.Written> append(
            ProducerIdentity marker, boolean commit, int coordinatorEpoch, Reply<?> refusal) {
        EndTransactionMarker end =
                commit ? EndTransactionMarker.commit(coordinatorEpoch) : EndTransactionMarker.abort(coordinatorEpoch);
        ByteBuffer batch = new RecordBatchBuilder(MARKER_BYTES, MARKER_BYTES)
                .appendEndTransaction(shard.time().wallClockMs(), end)
                .producer(marker.id(), marker.epoch(), RecordBatch.NO_SEQUENCE)
                .build();
        Optional<LogAppender.Written> written = appender.appendOwn(batch, refusal);
        written.ifPresent(w -> {
            records.onEnded(marker.id(), commit);
            registered.remove(marker.id());
            shard.wroteBytes(w.bytes());
            stable.run();
            events.changed();
        });
        return written;
    }

    // ---- ends -----------------------------------------------------------------------------------------------------

    /**
     * Answered with true when all that a transaction wrote to a log is below the high watermark, with false if it has nothing open there.
     */
    public void secure(Part part, ProducerIdentity transaction, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            boolean open = switch (part) {
                case DATA -> isOpen(transaction);
                case CURSOR ->
                    cursors.transactions()
                            .open(transaction.id())
                            .filter(transaction::equals)
                            .isPresent();
            };
            if (!open) {
                reply.onDone(false);
            } else if (part == Part.DATA) {
                whenBelowHighWatermark(cursors.undecided().endOf(transaction.id()), events::wantSync, reply, true);
                events.changed();
            } else {
                cursorLog.answerWhenReplicated(reply, true);
                events.changed();
            }
        });
    }

    /**
     * Ends a transaction in a log.
     *
     * @param written answered when everybody here goes by it: with whether there was something to end. Fails if it is to be told again
     * @param durable the same, when it survives a crash
     */
    public void end(Part part, Ending ending, Reply<Boolean> written, Reply<Boolean> durable) {
        Reply<Boolean> both = new Reply<>() {
            @Override
            public void onDone(Boolean done) {
                written.onDone(done);
                durable.onDone(done);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                written.onFailed(code, message);
                durable.onFailed(code, message);
            }
        };
        if (edge.refuse(both)) {
            return;
        }
        Answered answered = new Answered(both);
        edge.guard(() -> {
            switch (part) {
                case DATA -> endRecords(ending, written, durable, answered);
                case CURSOR -> endAcknowledgements(ending, written, durable, answered);
            }
        });
        // Whatever went wrong inside is answered here.
        answered.orRefuse(edge);
    }

    /** Rolls back a transaction that no coordinator knows, if that very one is still open. Answered when that is written, with whether it was. */
    public void abandon(Part part, ProducerIdentity unknown, Reply<Boolean> reply) {
        boolean open = part == Part.DATA
                ? isOpen(unknown)
                : !edge.isOffline()
                        && cursors.transactions()
                                .open(unknown.id())
                                .filter(unknown::equals)
                                .isPresent();
        if (!open) {
            if (!edge.refuse(reply)) {
                reply.onDone(false);
            }
            return;
        }
        Reply<Boolean> nobody = new Reply<>() {
            @Override
            public void onDone(Boolean done) {}

            @Override
            public void onFailed(ErrorCode code, String message) {}
        };
        end(part, new Ending(unknown, unknown, false, UNKNOWN_COORDINATOR_EPOCH), reply, nobody);
    }

    /** Its messages are as if they had never been: somebody may wonder. */
    private void logAbandoned(ProducerIdentity left) {
        LOG.atInfo()
                .addKeyValue("event", "transaction_abandoned")
                .addKeyValue("partition", data.partition())
                .addKeyValue("producer", left.id())
                .addKeyValue("epoch", left.epoch())
                .log("A transaction is rolled back here, since a later one has begun under its producer id");
    }

    /** The replies to an end, which are told once whatever happens. */
    private static final class Answered {
        private final Reply<Boolean> both;
        private boolean taken;

        Answered(Reply<Boolean> both) {
            this.both = both;
        }

        /** Whoever calls this answers. */
        void take() {
            taken = true;
        }

        Reply<Boolean> takeBoth() {
            take();
            return both;
        }

        void orRefuse(PartitionEdge edge) {
            if (!taken) {
                edge.refuse(both);
            }
        }
    }

    /** With what others have synced, or else soon. */
    private void syncAlong() {
        data.syncAlong();
        syncSoon();
    }

    private void endRecords(Ending ending, Reply<Boolean> written, Reply<Boolean> durable, Answered answered) {
        ProducerIdentity transaction = ending.transaction();
        short open = data.openTransactionEpoch(transaction.id());
        Runnable sync = ending.awaited() ? events::wantSync : this::syncAlong;
        if (open < 0 || open > transaction.epoch()) {
            answered.take();
            written.onDone(false);
            // It may have ended, and the marker not be synced.
            whenBelowHighWatermark(data.logEndOffset(), sync, durable, false);
            events.changed();
            return;
        }
        boolean commit = ending.commit() && open == transaction.epoch();
        Reply<Boolean> refusal = new Reply<>() {
            @Override
            public void onDone(Boolean done) {}

            @Override
            public void onFailed(ErrorCode code, String message) {
                answered.takeBoth().onFailed(code, message);
            }
        };
        append(ending.marker(), commit, ending.coordinatorEpoch(), refusal).ifPresent(w -> {
            answered.take();
            written.onDone(true);
            whenBelowHighWatermark(w.endOffset(), sync, durable, true);
        });
    }

    private void endAcknowledgements(Ending ending, Reply<Boolean> written, Reply<Boolean> durable, Answered answered) {
        PendingTransactions.Ended ended =
                cursors.transactions().end(ending.transaction(), ending.marker(), ending.commit());
        answered.take();
        if (!ended.wasOpen()) {
            written.onDone(false);
            // It may have ended, and the record of that not be synced.
            cursorLog.answerWhenReplicatedUnhurried(durable, false);
            syncSoon();
            events.changed();
            return;
        }
        acknowledging = !cursors.transactions().open().isEmpty();
        metrics.onAcknowledged(ended.acknowledged());
        cursorLog.answerWhenWritten(written, true);
        if (ended.written()) {
            cursorLog.answerWhenReplicatedUnhurried(durable, true);
            syncSoon();
        } else {
            cursorLog.answerWhenWritten(durable, true);
        }
        events.changed();
    }

    private void whenBelowHighWatermark(long endOffset, Runnable sync, Reply<Boolean> reply, boolean answer) {
        if (endOffset <= highWatermark.getAsLong()) {
            reply.onDone(answer);
            return;
        }
        sync.run();
        waitingSends.add(endOffset, endOffset, RecordBatch.NO_TIMESTAMP, new SendReply() {
            @Override
            public void onStored(long baseOffset) {
                reply.onDone(answer);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                reply.onFailed(code, message);
            }
        });
    }

    /** What is still not synced after a while is synced then; what came meanwhile has its own while. */
    private void syncSoon() {
        if (syncScheduled) {
            return;
        }
        syncScheduled = true;
        long dataEnd = data.logEndOffset();
        long cursorEnd = cursorLog.endOffset();
        shard.schedule(SYNC_DELAY_NS, () -> {
            syncScheduled = false;
            edge.guard(() -> {
                if (highWatermark.getAsLong() < dataEnd) {
                    data.requestSync();
                }
                cursorLog.syncIfBehind(cursorEnd);
                if (highWatermark.getAsLong() < data.logEndOffset() || cursorLog.isBehind()) {
                    syncSoon();
                }
            });
        });
    }
}
