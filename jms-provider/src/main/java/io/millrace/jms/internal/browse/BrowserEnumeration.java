package io.millrace.jms.internal.browse;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.browse.PartitionPages.Browsed;
import io.millrace.jms.internal.message.MessageFactory;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a queue held at one time (Jakarta Messaging 4.1.6): each partition in its order, and among the partitions by the time of
 * sending. Holds a page of each partition at a time, however many messages there are; a message that is consumed before its page is fetched
 * is left out. Used by one thread at a time.
 */
@SuppressWarnings("JdkObsolete") // JMS enumerates
public final class BrowserEnumeration implements Enumeration<Message> {

    private final List<PartitionPages> partitions = new ArrayList<>();
    private final BooleanSupplier closed;

    private BrowserEnumeration(BooleanSupplier closed) {
        this.closed = closed;
    }

    /**
     * Begins with what is there now.
     *
     * @param source asks for pages
     * @param logId identity of the queue's log
     * @param partitionCount how many partitions it has
     * @param queue in the eyes of the application
     * @param messages makes messages of records
     * @param closed whether the browser was closed meanwhile
     * @throws JMSException if the server cannot be asked
     */
    public static BrowserEnumeration begin(
            PageSource source,
            UUID logId,
            int partitionCount,
            MillraceDestination queue,
            MessageFactory messages,
            BooleanSupplier closed)
            throws JMSException {
        BrowserEnumeration enumeration = new BrowserEnumeration(closed);
        for (int partition = 0; partition < partitionCount; partition++) {
            PartitionPages pages = new PartitionPages(source, logId, partition, queue, messages);
            pages.begin();
            enumeration.partitions.add(pages);
        }
        return enumeration;
    }

    /**
     * Returns whether there is a further message.
     *
     * @throws IllegalStateRuntimeException if the browser is closed
     * @throws JMSRuntimeException if the server cannot be asked
     */
    @Override
    public boolean hasMoreElements() {
        return first() != null;
    }

    /**
     * Returns the next message.
     *
     * @throws NoSuchElementException if there is none
     * @throws IllegalStateRuntimeException if the browser is closed
     * @throws JMSRuntimeException if the server cannot be asked
     */
    @Override
    public Message nextElement() {
        PartitionPages first = first();
        if (first == null) {
            throw new NoSuchElementException("The queue held no further message when the enumeration began");
        }
        try {
            Browsed next = first.peek();
            if (next == null) {
                throw new NoSuchElementException("The queue held no further message when the enumeration began");
            }
            first.pass();
            return next.message();
        } catch (JMSException failed) {
            throw unchecked(failed);
        }
    }

    /** Returns the partition whose next message was sent first, or null if none has one. */
    private @Nullable PartitionPages first() {
        if (closed.getAsBoolean()) {
            throw new IllegalStateRuntimeException("The browser is closed");
        }
        PartitionPages first = null;
        long firstMs = 0;
        try {
            for (PartitionPages pages : partitions) {
                Browsed next = pages.peek();
                if (next != null && (first == null || next.timestampMs() < firstMs)) {
                    first = pages;
                    firstMs = next.timestampMs();
                }
            }
        } catch (JMSException failed) {
            throw unchecked(failed);
        }
        return first;
    }

    private static JMSRuntimeException unchecked(JMSException failed) {
        return new JMSRuntimeException(failed.getMessage(), failed.getErrorCode(), failed);
    }
}
