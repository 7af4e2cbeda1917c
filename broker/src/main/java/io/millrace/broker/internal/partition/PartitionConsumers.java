package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.CursorDispatch.Outgoing;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.AcknowledgeResult;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.message.RecordOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers of a partition: which cursor each one takes from, what it is sent, what it gives back. On the shard.
 *
 * <p>Everything here only changes cursors in memory and collects deliveries; the partition appends the changes at the end of the turn
 * and then lets {@link #sendDeliveries} go on.
 */
final class PartitionConsumers {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionConsumers.class);

    private final PartitionCursors cursors;
    private final PartitionLog data;
    private final TransactionalRecords transactional;
    private final ColdReads coldReads;
    private final RecordOrigin origin;
    private final int leaderEpoch;
    private final Shard shard;
    private final Runnable again;
    private final PartitionMetrics metrics;
    private final Map<CursorId, CursorDispatch> dispatches = new LinkedHashMap<>();
    /** The same as a list, for a round robin among the cursors. */
    private final List<CursorDispatch> order = new ArrayList<>();

    private final RecentSlice recent = new RecentSlice();
    private final Map<ConsumerKey, CursorId> cursorOf = new HashMap<>();
    /** Cursors that belong to one consumer and end with it. */
    private final Set<CursorId> privateCursors = new HashSet<>();

    private final List<Outgoing> outgoing = new ArrayList<>();
    private int first;

    PartitionConsumers(
            PartitionCursors cursors,
            PartitionLog data,
            TransactionalRecords transactional,
            ColdReads coldReads,
            RecordOrigin origin,
            int leaderEpoch,
            Shard shard,
            Runnable again,
            PartitionMetrics metrics) {
        this.cursors = cursors;
        this.data = data;
        this.transactional = transactional;
        this.coldReads = coldReads;
        this.origin = origin;
        this.leaderEpoch = leaderEpoch;
        this.shard = shard;
        this.again = again;
        this.metrics = metrics;
    }

    /**
     * Opens a consumer, or attaches one that exists again.
     *
     * @return the first offset that its cursor has not dealt with, or nothing if there is no such cursor
     */
    Optional<Long> open(ConsumerRequest request, DeliverySink sink) {
        ConsumerKey key = request.key();
        CursorDispatch known = dispatchOf(key);
        if (known != null) {
            known.cursor().reattach(key, request.held());
            ConsumerState consumer = known.consumer(key).orElseThrow();
            consumer.attach(sink);
            consumer.addCredit(request.creditMessages(), request.creditBytes());
            again.run();
            return Optional.of(known.cursor().earliestNeededOffset());
        }
        Optional<Cursor> found = cursorFor(request);
        found.ifPresent(cursor -> {
            cursor.reattach(key, request.held());
            dispatches
                    .computeIfAbsent(cursor.id(), id -> newDispatch(cursor))
                    .add(key, sink, request.filter())
                    .addCredit(request.creditMessages(), request.creditBytes());
            cursorOf.put(key, cursor.id());
            logConsumer("consumer_opened", key, cursor.id());
            again.run();
        });
        return found.map(Cursor::earliestNeededOffset);
    }

    private void logConsumer(String event, ConsumerKey key, CursorId cursor) {
        LOG.atDebug()
                .addKeyValue("event", event)
                .addKeyValue("partition", data.partition())
                .addKeyValue("session", key.sessionId())
                .addKeyValue("consumer", key.consumer())
                .addKeyValue("cursor", cursor)
                .log("Consumer of a partition");
    }

    private CursorDispatch newDispatch(Cursor cursor) {
        CursorBatches batches = new CursorBatches(cursor, data, transactional, again);
        Lender lender = new Lender(cursor, leaderEpoch, shard.time(), metrics);
        SelectiveDispatch selective = new SelectiveDispatch(cursor, batches, lender, origin, this::newReader);
        CursorDispatch dispatch = new CursorDispatch(cursor, batches, newReader(), lender, selective, shard, again);
        order.add(dispatch);
        return dispatch;
    }

    private BatchReader newReader() {
        return new BatchReader(data, recent, coldReads, again);
    }

    private Optional<Cursor> cursorFor(ConsumerRequest request) {
        return switch (request.start()) {
            case CursorStart.OfQueue() -> Optional.of(cursors.create(CursorId.QUEUE, 0));
            case CursorStart.Existing() -> cursors.cursor(request.cursor());
            case CursorStart.Latest() -> Optional.of(newPrivate(request, data.logEndOffset()));
            case CursorStart.Earliest() -> Optional.of(newPrivate(request, data.logStartOffset()));
            case CursorStart.At(long offset) ->
                Optional.of(newPrivate(request, Math.clamp(offset, data.logStartOffset(), data.logEndOffset())));
        };
    }

    private Cursor newPrivate(ConsumerRequest request, long startOffset) {
        cursors.delete(request.cursor());
        privateCursors.add(request.cursor());
        return cursors.createNonDurable(request.cursor(), startOffset);
    }

    private @Nullable CursorDispatch dispatchOf(ConsumerKey key) {
        CursorId cursor = cursorOf.get(key);
        return cursor == null ? null : dispatches.get(cursor);
    }

    /**
     * Closes a consumer in good order. What it holds stays with its session, except that of a private cursor, which ends.
     *
     * @return whether it still holds anything
     */
    boolean close(ConsumerKey key) {
        CursorDispatch dispatch = dispatchOf(key);
        if (dispatch == null) {
            return false;
        }
        dispatch.cursor().detach(key);
        remove(key, dispatch);
        return cursors.cursor(dispatch.cursor().id())
                .map(cursor -> cursor.acquiredBy(key) > 0)
                .orElse(false);
    }

    private void remove(ConsumerKey key, CursorDispatch dispatch) {
        CursorId id = dispatch.cursor().id();
        cursorOf.remove(key);
        dispatch.remove(key);
        logConsumer("consumer_closed", key, id);
        if (dispatch.isIdle()) {
            dispatches.remove(id);
            order.remove(dispatch);
        }
        if (privateCursors.remove(id)) {
            cursors.delete(id);
        }
    }

    /** Takes a cursor away from a consumer, which is told: it gets nothing more, and what it holds comes back. */
    void expel(ConsumerKey key, CursorId id, ErrorCode code, String why) {
        CursorDispatch dispatch = dispatchOf(key);
        Optional<DeliverySink> sink = Optional.ofNullable(dispatch)
                .flatMap(present -> present.consumer(key))
                .flatMap(ConsumerState::sink);
        sink.ifPresent(gone -> outgoing.removeIf(delivery -> delivery.sink().equals(gone)));
        cursors.cursor(id).ifPresent(cursor -> cursor.onConsumerGone(key));
        if (dispatch != null) {
            remove(key, dispatch);
        }
        sink.ifPresent(gone -> gone.closed(code, why));
        again.run();
    }

    /** Ends a cursor that nobody needs any more, and whoever consumes from it. */
    void delete(CursorId id, ErrorCode code, String why) {
        CursorDispatch dispatch = dispatches.get(id);
        if (dispatch != null) {
            for (ConsumerState consumer : List.copyOf(dispatch.consumers())) {
                remove(consumer.key(), dispatch);
                consumer.sink().ifPresent(sink -> sink.closed(code, why));
            }
        }
        cursors.delete(id);
    }

    /** The connection of a session is lost: nothing is sent, and everything stays where it is. */
    void onSessionDetached(UUID session) {
        for (CursorDispatch dispatch : dispatches.values()) {
            for (ConsumerState consumer : dispatch.consumers()) {
                if (consumer.key().sessionId().equals(session)) {
                    consumer.detach();
                }
            }
        }
    }

    /** A session has ended: its consumers are gone, and what they hold goes back, counted. */
    void onSessionGone(UUID session) {
        for (Map.Entry<ConsumerKey, CursorId> entry : List.copyOf(cursorOf.entrySet())) {
            if (entry.getKey().sessionId().equals(session)) {
                CursorDispatch dispatch = dispatches.get(entry.getValue());
                if (dispatch != null) {
                    remove(entry.getKey(), dispatch);
                }
            }
        }
        cursors.onSessionGone(session);
        again.run();
    }

    void addCredit(ConsumerKey key, int messages, int bytes) {
        CursorDispatch dispatch = dispatchOf(key);
        if (dispatch != null) {
            dispatch.consumer(key).ifPresent(consumer -> consumer.addCredit(messages, bytes));
            again.run();
        }
    }

    /** Returns false if there is no such consumer. */
    boolean pull(ConsumerKey key, BooleanSupplier due, Reply<Boolean> reply) {
        CursorDispatch dispatch = dispatchOf(key);
        if (dispatch == null) {
            return false;
        }
        dispatch.pull(key, due, reply);
        again.run();
        return true;
    }

    /** Acknowledges records. Of a cursor that has ended, everything counts as acknowledged. Returns what was refused. */
    List<OffsetRange> acknowledge(AcknowledgedRecords records) {
        again.run();
        Optional<Cursor> found = cursors.cursor(records.cursor());
        if (found.isEmpty()) {
            return List.of();
        }
        AcknowledgeResult result = found.get().acknowledge(records.consumer(), records.acquisition(), records.ranges());
        metrics.onAcknowledged(result.acknowledged());
        return result.refused();
    }

    /** The same in a transaction; what was acknowledged in it before is not refused. */
    List<OffsetRange> acknowledgePending(AcknowledgedRecords records, ProducerIdentity transaction) {
        again.run();
        return cursors.cursor(records.cursor())
                .map(cursor -> cursor.acknowledgePending(
                                records.consumer(), records.acquisition(), records.ranges(), transaction)
                        .refused())
                .orElse(List.of());
    }

    void release(CursorId id, ConsumerKey key, List<ReleasedRecords> released) {
        cursors.cursor(id)
                .ifPresent(cursor -> released.forEach(
                        records -> cursor.release(key, records.acquisition(), records.ranges(), records.seen())));
        again.run();
    }

    /**
     * Acquires what consumers want and can have; the deliveries wait for {@link #sendDeliveries}.
     *
     * @param maxBytes about how many bytes at most; who did not get its turn comes first the next time
     * @return whether there is more to do at once
     */
    boolean dispatch(long highWatermark, int maxBytes) {
        int budget = maxBytes;
        for (int i = 0; i < order.size(); i++) {
            first = first + 1 >= order.size() ? 0 : first + 1;
            budget = order.get(first).dispatch(highWatermark, budget, outgoing);
            if (budget <= 0) {
                return true;
            }
        }
        recent.forget();
        return false;
    }

    /** The changes of the turn are in the cursor log: the deliveries may leave, and then the pulls that waited for them. */
    void sendDeliveries(boolean everything) {
        for (Outgoing delivery : outgoing) {
            delivery.sink().deliver(delivery.delivery());
        }
        outgoing.clear();
        if (everything) {
            dispatches.values().forEach(CursorDispatch::answerDuePulls);
        }
    }

    /** The partition can no longer serve: tells all consumers. */
    void closeAll(ErrorCode code, String why) {
        outgoing.clear();
        for (CursorDispatch dispatch : List.copyOf(dispatches.values())) {
            for (ConsumerState consumer : List.copyOf(dispatch.consumers())) {
                consumer.sink().ifPresent(sink -> sink.closed(code, why));
                remove(consumer.key(), dispatch);
            }
        }
    }

    /** Returns how many offsets the log has that are neither undecided nor rolled back. */
    long stored(long highWatermark) {
        long start = data.logStartOffset();
        return highWatermark - start - cursors.undecided().countHiddenIn(start, highWatermark);
    }

    /**
     * Returns what the partition holds for its subscriptions.
     *
     * @param queue whether messages are kept though there is no cursor yet
     */
    PartitionMetrics.Load load(long highWatermark, boolean queue) {
        long ready = 0;
        long inFlight = 0;
        int attached = 0;
        long oldest = Long.MAX_VALUE;
        for (Cursor cursor : cursors.cursors()) {
            long depth = cursor.depth();
            long out = cursor.acquired() + cursor.pending();
            ready += Math.max(0, depth - out);
            inFlight += out;
            attached += cursor.consumers();
            if (depth > 0) {
                oldest = Math.min(oldest, cursor.earliestDecidedOffset());
            }
        }
        long stored = stored(highWatermark);
        if (queue && stored > 0 && cursors.cursor(CursorId.QUEUE).isEmpty()) {
            ready += stored;
            oldest = Math.min(oldest, cursors.undecided().endOfRun(data.logStartOffset()));
        }
        return new PartitionMetrics.Load(ready, inFlight, attached, oldest == Long.MAX_VALUE ? -1 : oldest);
    }
}
