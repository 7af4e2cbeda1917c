package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;

/** What clients, and the broker itself, append to the data log of a partition, and how that is answered. On the shard. */
final class PartitionAppends {

    /** What the partition hears of. */
    interface Events {
        /** Has the turn's end write and deal out what was changed. */
        void changed();

        /** Somebody waits for the data log to be synced. */
        void wantSync();
    }

    private final LogAppender appender;
    private final WaitingSends waitingSends;
    private final PartitionTransactions transactions;
    private final TransactionalRecords transactional;
    private final Shard shard;
    private final PartitionEdge edge;
    private final PartitionMetrics metrics;
    private final LongSupplier highWatermark;
    private final Events events;

    PartitionAppends(
            LogAppender appender,
            WaitingSends waitingSends,
            PartitionTransactions transactions,
            TransactionalRecords transactional,
            Shard shard,
            PartitionEdge edge,
            PartitionMetrics metrics,
            LongSupplier highWatermark,
            Events events) {
        this.appender = appender;
        this.waitingSends = waitingSends;
        this.transactions = transactions;
        this.transactional = transactional;
        this.shard = shard;
        this.edge = edge;
        this.metrics = metrics;
        this.highWatermark = highWatermark;
        this.events = events;
    }

    /** See {@link Partition#append}. */
    void append(ByteBuffer batch, int leaderEpoch, boolean wait, SendReply reply) {
        append(batch, leaderEpoch, false, wait, reply);
    }

    /** See {@link Partition#appendOfBranch}. */
    void appendOfBranch(ByteBuffer batch, int leaderEpoch, SendReply reply) {
        append(batch, leaderEpoch, true, false, reply);
    }

    private void append(ByteBuffer batch, int leaderEpoch, boolean shared, boolean wait, SendReply reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            if (mayAppend(batch, reply)) {
                stored(batch, appender.append(batch, leaderEpoch, shared, reply), wait, reply);
            }
        });
    }

    /** See {@link Partition#produce}. */
    void produce(ByteBuffer batch, boolean wait, SendReply reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            if (mayAppend(batch, reply)) {
                stored(batch, appender.produce(batch, reply), wait, reply);
            }
        });
    }

    private boolean mayAppend(ByteBuffer batch, SendReply reply) {
        return !TransactionalRecords.areTransactional(batch) || transactions.makeWay(batch, reply::onFailed);
    }

    private void stored(ByteBuffer batch, Optional<LogAppender.Written> written, boolean wait, SendReply reply) {
        written.ifPresent(w -> {
            if (w.bytes() > 0) {
                onAppended(batch, w);
            }
            if (!wait || w.endOffset() <= highWatermark.getAsLong()) {
                reply.onStored(w.baseOffset(), w.logAppendTimeMs());
            } else {
                events.wantSync();
                waitingSends.add(w.baseOffset(), w.endOffset(), w.logAppendTimeMs(), reply);
            }
            events.changed();
        });
    }

    private void onAppended(ByteBuffer batch, LogAppender.Written w) {
        shard.wroteBytes(w.bytes());
        metrics.onAppended(w.endOffset() - w.baseOffset(), w.bytes());
        transactional.onAppended(batch, w.baseOffset(), w.endOffset());
    }

    /** See {@link Partition#appendOwn(ByteBuffer, boolean, Reply)}. */
    void appendOwn(ByteBuffer batch, boolean sync, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            if (!TransactionalRecords.areTransactional(batch) || transactions.makeWay(batch, reply::onFailed)) {
                appender.appendOwn(batch, reply).ifPresent(w -> {
                    onAppended(batch, w);
                    if (sync) {
                        events.wantSync();
                    }
                    events.changed();
                    reply.onDone(w.endOffset());
                });
            }
        });
        // Whatever went wrong inside is answered here.
        edge.refuse(reply);
    }
}
