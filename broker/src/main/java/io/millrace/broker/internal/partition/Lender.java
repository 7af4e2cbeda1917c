package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.CursorDispatch.Outgoing;
import io.millrace.coordinator.cursor.Acquisition;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.time.TimeSource;
import java.util.List;

/** Lends records of a cursor that were selected, and makes the delivery of them. On the shard. */
record Lender(Cursor cursor, int leaderEpoch, TimeSource time, PartitionMetrics metrics) {

    /** Lends a selection, which is not empty, to a consumer; the delivery is added to {@code out}. */
    void lend(ConsumerState consumer, RecordBatch batch, Selection selection, List<Outgoing> out) {
        Acquisition acquisition = cursor.acquire(consumer.key(), selection.chosen());
        Delivery delivery = selection.toDelivery(leaderEpoch, acquisition);
        count(selection, acquisition, batch.maxTimestampMs());
        consumer.use(selection.count(), selection.bytes());
        consumer.sink().ifPresent(sink -> out.add(new Outgoing(sink, delivery)));
    }

    private void count(Selection selection, Acquisition acquisition, long timestampMs) {
        int redelivered = 0;
        for (Grant grant : acquisition.grants()) {
            redelivered += grant.redelivered() ? grant.count() : 0;
        }
        metrics.onDelivered(selection.count(), redelivered, selection.bytes());
        if (redelivered < selection.count()) {
            metrics.shard().deliveryMs().record(time.wallClockMs() - timestampMs, selection.count() - redelivered);
        }
    }
}
