package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/** What JMS consumers ask a partition for. On the shard. */
public final class ConsumerRequests {

    private final PartitionCursors cursors;
    private final PartitionConsumers consumers;
    private final PartitionLog data;
    private final PartitionCursorLog cursorLog;
    private final PartitionEdge edge;
    private final LongSupplier highWatermark;
    private final Runnable wantSync;
    private final Runnable changed;

    /**
     * Creates it for a partition.
     *
     * @param wantSync has the turn's end ask for a sync of the data log
     * @param changed has the turn's end write what was changed
     */
    ConsumerRequests(
            PartitionCursors cursors,
            PartitionConsumers consumers,
            PartitionLog data,
            PartitionCursorLog cursorLog,
            PartitionEdge edge,
            LongSupplier highWatermark,
            Runnable wantSync,
            Runnable changed) {
        this.cursors = cursors;
        this.consumers = consumers;
        this.data = data;
        this.cursorLog = cursorLog;
        this.edge = edge;
        this.highWatermark = highWatermark;
        this.wantSync = wantSync;
        this.changed = changed;
    }

    /** Opens a consumer, or attaches it again. Answered with the first offset that its cursor has not dealt with. */
    public void open(ConsumerRequest request, DeliverySink sink, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        // A cursor that exists may be about to be created here, if the partition is new.
        if (request.start() instanceof CursorStart.OfQueue
                || (request.start() instanceof CursorStart.Existing && cursorLog.isBeingCreated())) {
            cursorLog.whenThere(Optional.of(request.key().sessionId()), reply, () -> openNow(request, sink, reply));
        } else {
            edge.guard(() -> openNow(request, sink, reply));
        }
    }

    private void openNow(ConsumerRequest request, DeliverySink sink, Reply<Long> reply) {
        consumers
                .open(request, sink)
                .ifPresentOrElse(
                        reply::onDone,
                        () -> reply.onFailed(
                                ErrorCode.SUBSCRIPTION_NOT_FOUND,
                                "partition " + data.partition() + " has no cursor " + request.cursor()));
    }

    /** Closes a consumer. Answered with whether its session still holds records of it. */
    public void close(ConsumerKey key, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> reply.onDone(consumers.close(key)));
    }

    /** Returns whether a session still holds records that a consumer was lent from a cursor. */
    public boolean holdsRecords(CursorId cursor, ConsumerKey key) {
        return !edge.isOffline()
                && cursors.cursor(cursor)
                        .map(known -> known.acquiredBy(key) > 0)
                        .orElse(false);
    }

    public void addCredit(ConsumerKey key, int messages, int bytes) {
        edge.guard(() -> consumers.addCredit(key, messages, bytes));
    }

    /**
     * Answered once everything that is there now has been sent, as far as the consumer's credit goes; the answer is whether there is
     * more.
     */
    public void pull(ConsumerKey key, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            long dataEnd = data.logEndOffset();
            long cursorEnd = cursorLog.endOffset();
            if (highWatermark.getAsLong() < dataEnd) {
                wantSync.run();
            }
            boolean known = consumers.pull(
                    key, () -> highWatermark.getAsLong() >= dataEnd && cursorLog.isReplicatedTo(cursorEnd), reply);
            if (!known) {
                reply.onFailed(
                        ErrorCode.UNKNOWN_CONSUMER,
                        "consumer " + key.consumer() + " is not open on " + data.partition());
            }
        });
    }

    /**
     * Acknowledges records. Answered with what was refused.
     *
     * @param durable whether the answer waits until the acknowledgement is below the cursor log's high watermark
     */
    public void acknowledge(List<AcknowledgedRecords> records, boolean durable, Reply<List<List<OffsetRange>>> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            List<List<OffsetRange>> refused =
                    records.stream().map(consumers::acknowledge).toList();
            if (durable) {
                cursorLog.answerWhenReplicated(reply, refused);
            } else {
                cursorLog.answerWhenWritten(reply, refused);
            }
            changed.run();
        });
    }

    /** Gives records back. Answered when that is in the cursor log. */
    public void release(CursorId cursor, ConsumerKey key, List<ReleasedRecords> released, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            consumers.release(cursor, key, released);
            cursorLog.answerWhenWritten(reply, true);
            changed.run();
        });
    }

    /** Takes a cursor away from a consumer, which is told why: what it holds comes back, counted. */
    public void expel(ConsumerKey key, CursorId cursor, ErrorCode code, String why) {
        edge.guard(() -> consumers.expel(key, cursor, code, why));
    }

    /** The connection of a session is lost. */
    public void onSessionDetached(UUID session) {
        edge.guard(() -> {
            cursorLog.drop(session);
            consumers.onSessionDetached(session);
        });
    }

    /** A session has ended: what it holds goes back, counted. */
    public void onSessionGone(UUID session) {
        edge.guard(() -> {
            cursorLog.drop(session);
            consumers.onSessionGone(session);
        });
    }
}
