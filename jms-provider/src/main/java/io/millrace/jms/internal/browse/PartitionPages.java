package io.millrace.jms.internal.browse;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.Delivery;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.MillraceMessage;
import io.millrace.wire.frame.BrowseQueue;
import io.millrace.wire.frame.BrowsedRange;
import io.millrace.wire.frame.QueueBrowsed;
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.BufferSupplier;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one partition of a queue held when it was first asked, a page at a time. Used by one thread at a time. */
final class PartitionPages {

    /**
     * A message, and when it was sent.
     *
     * @param timestampMs of the record, which is there too where the sender left out JMSTimestamp
     * @param message as the application sees it
     */
    record Browsed(long timestampMs, MillraceMessage message) {}

    private final PageSource source;
    private final int partition;
    private final MillraceDestination queue;
    private final MessageFactory messages;
    private final RecordOrigin origin;
    private final Queue<Browsed> page = new ArrayDeque<>();
    private long nextOffset;
    private long endOffset = BrowseQueue.END_OF_NOW;

    PartitionPages(PageSource source, UUID logId, int partition, MillraceDestination queue, MessageFactory messages) {
        this.source = source;
        this.partition = partition;
        this.queue = queue;
        this.messages = messages;
        this.origin = new RecordOrigin(logId, partition, BodyDefault.TEXT);
    }

    /** Fetches the first page, which fixes where it all ends. */
    void begin() throws JMSException {
        take(source.page(partition, 0, endOffset));
    }

    /** Returns the next message without going past it, or null at the end. */
    @Nullable
    Browsed peek() throws JMSException {
        while (page.isEmpty() && nextOffset < endOffset) {
            take(source.page(partition, nextOffset, endOffset));
        }
        return page.peek();
    }

    /** Goes past the message that {@link #peek} returned. */
    void pass() {
        page.remove();
    }

    private void take(QueueBrowsed answer) {
        endOffset = answer.endOffset();
        nextOffset = answer.nextOffset();
        RecordBatches batches = RecordBatches.over(answer.payload());
        Iterator<BrowsedRange> ranges = answer.ranges().iterator();
        BrowsedRange range = ranges.hasNext() ? ranges.next() : null;
        while (range != null && batches.next()) {
            try (RecordCursor records =
                    batches.current().records(DecompressionLimits.DEFAULT, BufferSupplier.allocating())) {
                while (range != null && records.next()) {
                    while (range != null && records.offset() >= range.endOffset()) {
                        range = ranges.hasNext() ? ranges.next() : null;
                    }
                    if (range != null && records.offset() >= range.firstOffset()) {
                        page.add(browsed(records, range.deliveryCount()));
                    }
                }
            }
        }
    }

    private Browsed browsed(RecordCursor record, int deliveryCount) {
        Delivery delivery = new Delivery(queue, deliveryCount, Acknowledger.IGNORE);
        return new Browsed(record.timestampMs(), messages.fromRecord(record, origin, delivery));
    }
}
