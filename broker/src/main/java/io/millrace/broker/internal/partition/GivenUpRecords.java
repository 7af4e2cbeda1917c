package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Records that are given up, on their way out: they stay lent until it is durable what was written about them, and are acknowledged only then.
 * So whatever ends the broker meanwhile, they are either still there or written about. For each cursor one writing goes on at a time, and
 * takes in all that waits. On the shard.
 */
final class GivenUpRecords {

    /** Ranges that are written about at a time, at most. */
    private static final int MAX_AT_A_TIME = 1_000;

    /**
     * Records that a consumer holds, and will not hear of again.
     *
     * @param member to whom they are lent
     * @param acquisition under which
     */
    record Lent(GivenUp records, ConsumerKey member, AcquisitionId acquisition, Runnable done) {

        private Lent behind(long offset) {
            OffsetRange rest = new OffsetRange(offset, records.range().endOffset());
            return new Lent(new GivenUp(rest, records.deliveries(), records.reason()), member, acquisition, done);
        }
    }

    private static final class Queue {
        private final List<Lent> waiting = new ArrayList<>();
        private boolean busy;
    }

    private final Partition partition;
    private final PartitionCursors cursors;
    private final Shard shard;
    private final PartitionEdge edge;
    private final Runnable changed;
    private final Map<CursorId, Queue> queues = new HashMap<>();

    /** @param changed called when cursors were changed */
    GivenUpRecords(Partition partition, PartitionCursors cursors, Shard shard, PartitionEdge edge, Runnable changed) {
        this.partition = partition;
        this.cursors = cursors;
        this.shard = shard;
        this.edge = edge;
        this.changed = changed;
    }

    /** Gives records up. What they have to run when they are done is run in the turn that acknowledges them. */
    void add(CursorId cursor, DeadLetters letters, Lent lent) {
        if (!letters.areWanted()) {
            acknowledge(cursor, lent, lent.records().range());
            lent.done().run();
            return;
        }
        Queue queue = queues.computeIfAbsent(cursor, id -> new Queue());
        queue.waiting.add(lent);
        if (!queue.busy) {
            queue.busy = true;
            // With all that the same turn gives up.
            shard.execute(() -> edge.guard(() -> write(cursor, letters, queue)));
        }
    }

    private void write(CursorId cursor, DeadLetters letters, Queue queue) {
        List<GivenUp> records =
                queue.waiting.stream().limit(MAX_AT_A_TIME).map(Lent::records).toList();
        letters.write(partition, records)
                .whenComplete((offsets, failure) -> shard.execute(() -> edge.guard(() -> {
                    if (failure != null) {
                        throw new IllegalStateException("dead letters of " + partition + " ended in a fault", failure);
                    }
                    written(cursor, queue, offsets);
                    if (queue.waiting.isEmpty()) {
                        queues.remove(cursor);
                    } else {
                        write(cursor, letters, queue);
                    }
                })));
    }

    private void written(CursorId cursor, Queue queue, int offsets) {
        long left = offsets;
        while (left > 0 && !queue.waiting.isEmpty()) {
            Lent lent = queue.waiting.getFirst();
            OffsetRange range = lent.records().range();
            if (left < range.count()) {
                long end = range.firstOffset() + left;
                acknowledge(cursor, lent, new OffsetRange(range.firstOffset(), end));
                queue.waiting.set(0, lent.behind(end));
                return;
            }
            left -= range.count();
            acknowledge(cursor, lent, range);
            queue.waiting.removeFirst();
            lent.done().run();
        }
    }

    private void acknowledge(CursorId cursor, Lent lent, OffsetRange range) {
        // The cursor may be gone, or the records be taken from it, as by retention.
        cursors.cursor(cursor)
                .ifPresent(present -> present.acknowledge(lent.member(), lent.acquisition(), List.of(range)));
        changed.run();
    }

    /** The partition is offline. */
    void clear() {
        queues.clear();
    }
}
