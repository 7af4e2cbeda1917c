package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Removes messages of a partition because somebody wants them gone. On the shard. */
public final class Removals {

    private final DestinationKind kind;
    private final Shard shard;
    private final PartitionCursors cursors;
    private final PartitionConsumers consumers;
    private final PartitionLog data;
    private final PartitionCursorLog cursorLog;
    private final PartitionRetention retention;
    private final PartitionMetrics metrics;
    private final PartitionEdge edge;
    private final LongSupplier highWatermark;
    private final Runnable changed;

    /**
     * Creates it for a partition.
     *
     * @param changed has the turn's end write what was changed
     */
    Removals(
            DestinationKind kind,
            Shard shard,
            PartitionCursors cursors,
            PartitionConsumers consumers,
            PartitionLog data,
            PartitionCursorLog cursorLog,
            PartitionRetention retention,
            PartitionMetrics metrics,
            PartitionEdge edge,
            LongSupplier highWatermark,
            Runnable changed) {
        this.kind = kind;
        this.shard = shard;
        this.cursors = cursors;
        this.consumers = consumers;
        this.data = data;
        this.cursorLog = cursorLog;
        this.retention = retention;
        this.metrics = metrics;
        this.edge = edge;
        this.highWatermark = highWatermark;
        this.changed = changed;
    }

    /**
     * Removes the messages of a cursor that are there now and with nobody, or counts them. Answered once the removal is below the cursor
     * log's high watermark.
     */
    public void purge(CursorId id, boolean dryRun, Reply<Purged> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        Optional<Cursor> known = cursors.cursor(id);
        if (known.isPresent() && dryRun) {
            Cursor cursor = known.get();
            reply.onDone(new Purged(cursor.depth() - held(cursor), held(cursor), cursor.consumers()));
        } else if (known.isPresent()) {
            purgeOn(new Purge(known.get(), highWatermark.getAsLong()), reply);
        } else if (!id.equals(CursorId.QUEUE)) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + data.partition() + " has no cursor " + id);
        } else if (dryRun) {
            reply.onDone(new Purged(consumers.stored(highWatermark.getAsLong()), 0, 0));
        } else {
            cursorLog.whenThere(Optional.empty(), reply, () -> {
                Cursor created = cursors.create(id, 0);
                created.dropBelow(data.logStartOffset());
                purgeOn(new Purge(created, highWatermark.getAsLong()), reply);
            });
        }
    }

    private static long held(Cursor cursor) {
        return cursor.acquired() + cursor.pending();
    }

    /** Each part in a turn of its own, so that the shard serves others in between. */
    private void purgeOn(Purge purge, Reply<Purged> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        if (!cursors.cursor(purge.cursor().id()).equals(Optional.of(purge.cursor()))) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "the subscription was deleted meanwhile");
            return;
        }
        edge.guard(() -> {
            metrics.onPurged(purge.step());
            changed.run();
            if (purge.isDone()) {
                cursorLog.answerWhenReplicated(reply, purge.result());
            } else {
                shard.execute(() -> purgeOn(purge, reply));
            }
        });
    }

    /**
     * Removes the records below an offset. What a consumer of a queue holds stays, and what comes after it in the log.
     *
     * @param offset up to the high watermark, or -1 for that
     * @param reply gets the first offset that is left
     */
    public void deleteRecords(long offset, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        long end = highWatermark.getAsLong();
        long below = offset == -1 ? end : offset;
        if (below < 0 || below > end) {
            reply.onFailed(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "records of " + data.partition() + " can be removed up to " + end + ", not " + offset);
        } else if (kind == DestinationKind.TOPIC) {
            edge.guard(() -> {
                retention.removeBelow(below);
                changed.run();
                reply.onDone(data.logStartOffset());
            });
        } else {
            deleteFromQueue(below, reply);
        }
    }

    private void deleteFromQueue(long below, Reply<Long> reply) {
        Reply<Purged> purged = new Reply<>() {
            @Override
            public void onDone(Purged result) {
                edge.guard(() -> {
                    retention.removeBelow(retention.consumedBelow(below));
                    reply.onDone(data.logStartOffset());
                });
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                reply.onFailed(code, why);
            }
        };
        cursorLog.whenThere(Optional.empty(), purged, () -> {
            Cursor cursor = cursors.cursor(CursorId.QUEUE).orElseGet(() -> cursors.create(CursorId.QUEUE, 0));
            cursor.dropBelow(data.logStartOffset());
            purgeOn(new Purge(cursor, below), purged);
        });
    }
}
