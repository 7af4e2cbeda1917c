package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorSummary;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, moves and deletes the cursors of a partition, and tells where they stand. On the shard. */
public final class CursorRequests {

    /** What operators read says that it is of the partition. */
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    private static final Reply<Long> NOBODY = new Reply<>() {
        @Override
        public void onDone(Long offset) {}

        @Override
        public void onFailed(ErrorCode code, String why) {}
    };

    private final PartitionCursors cursors;
    private final PartitionConsumers consumers;
    private final PartitionLog data;
    private final PartitionCursorLog cursorLog;
    private final PartitionEdge edge;
    private final LongSupplier highWatermark;
    private final Runnable changed;

    /**
     * Creates it for a partition.
     *
     * @param changed has the turn's end write what was changed
     */
    CursorRequests(
            PartitionCursors cursors,
            PartitionConsumers consumers,
            PartitionLog data,
            PartitionCursorLog cursorLog,
            PartitionEdge edge,
            LongSupplier highWatermark,
            Runnable changed) {
        this.cursors = cursors;
        this.consumers = consumers;
        this.data = data;
        this.cursorLog = cursorLog;
        this.edge = edge;
        this.highWatermark = highWatermark;
        this.changed = changed;
    }

    /**
     * Where a cursor stands.
     *
     * @param startOffset everything below is acknowledged
     * @param acknowledgedBehind records at or behind it that are acknowledged too
     */
    public record CursorPlace(long startOffset, long acknowledgedBehind) {}

    /**
     * Creates a cursor that survives. Answered once it is durable.
     *
     * @param fromStart whether it begins at the start of the log, else at its end; one that is there already stays where it is
     */
    public void create(CursorId id, boolean fromStart, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        cursorLog.whenThere(Optional.empty(), reply, () -> {
            Cursor cursor = cursors.create(id, fromStart ? data.logStartOffset() : data.logEndOffset());
            long offset = cursor.earliestNeededOffset();
            cursorLog.answerWhenReplicated(reply, offset);
            changed.run();
        });
    }

    /**
     * Creates a cursor that should be here and is not, since the cursor log has lost it: at the start of the log, so that no message is
     * lost too. Without effect if it is there.
     */
    public void restore(CursorId id) {
        if (edge.isOffline() || cursors.cursor(id).isPresent()) {
            return;
        }
        LOG.atWarn()
                .addKeyValue("event", "cursor_restored")
                .addKeyValue("partition", data.partition())
                .addKeyValue("cursor", id)
                .log("The cursor of a subscription is not in the cursor log: it begins anew at the start of the log");
        cursorLog.whenThere(Optional.empty(), NOBODY, () -> {
            cursors.create(id, data.logStartOffset());
            cursors.suspectDeliveriesBelow(data.logEndOffset());
            changed.run();
        });
    }

    /** Creates the durable cursor of a subscription that is older than this partition: it begins where the log does. */
    public void begin(CursorId id) {
        if (edge.isOffline()) {
            return;
        }
        cursorLog.whenThere(Optional.empty(), NOBODY, () -> {
            if (cursors.cursor(id).isEmpty()) {
                cursors.create(id, data.logStartOffset());
                changed.run();
            }
        });
    }

    /**
     * Creates a cursor in memory; if it exists, it stays as it is.
     *
     * @param fromStart where a new one begins: at the start of the log, else at its end
     */
    public void createInMemory(CursorId id, boolean fromStart, Reply<Long> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            long start = fromStart ? data.logStartOffset() : data.logEndOffset();
            Cursor cursor = cursors.cursor(id).orElseGet(() -> cursors.createNonDurable(id, start));
            reply.onDone(cursor.earliestNeededOffset());
        });
    }

    /** Deletes a cursor; its consumers are told. Without effect if there is none. */
    public void delete(CursorId id, ErrorCode code, String why) {
        edge.guard(() -> {
            consumers.delete(id, code, why);
            changed.run();
        });
    }

    /** Tells where a cursor stands; fails if there is none. On the shard. */
    public void placeOf(CursorId id, Reply<CursorPlace> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        Optional<Cursor> cursor = cursors.cursor(id);
        if (cursor.isEmpty()) {
            reply.onFailed(ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + data.partition() + " has no cursor " + id);
            return;
        }
        reply.onDone(new CursorPlace(
                cursor.get().earliestNeededOffset(), cursor.get().acknowledgedAboveStart()));
    }

    /**
     * Sets a cursor to an offset: what lies below is done, all else is to be delivered. Answered once that is durable. On the shard.
     *
     * @param offset any; it is brought into the range of what is there
     */
    public void move(CursorId id, long offset, Reply<Boolean> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            Optional<Cursor> cursor = cursors.cursor(id);
            if (cursor.isEmpty()) {
                reply.onFailed(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND, "partition " + data.partition() + " has no cursor " + id);
                return;
            }
            long start = data.logStartOffset();
            cursor.get().moveTo(Math.clamp(offset, start, Math.max(start, highWatermark.getAsLong())));
            cursorLog.answerWhenReplicated(reply, true);
            changed.run();
        });
    }

    /** Returns the ids of the cursors that survive. */
    public List<CursorId> durable() {
        return cursors.cursors().stream()
                .filter(Cursor::isDurable)
                .map(Cursor::id)
                .toList();
    }

    /** Returns the cursors as they are now. */
    public List<CursorSummary> summaries() {
        return cursors.cursors().stream().map(Cursor::summary).toList();
    }
}
