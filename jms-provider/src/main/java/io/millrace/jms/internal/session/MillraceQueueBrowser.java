package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceQueue;
import io.millrace.jms.internal.browse.BrowserEnumeration;
import io.millrace.wire.frame.BrowseQueue;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.QueueBrowsed;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the messages of a queue without consuming them (Jakarta Messaging 4.1.6). It has no state at the server, so it may be left open. Used
 * by the thread of its session, except {@link #close}.
 */
final class MillraceQueueBrowser implements QueueBrowser {

    /** Bytes of records that are fetched at a time, of all partitions together. */
    private static final int PAGES_BYTES = 256 * 1024;

    private static final int MIN_PAGE_BYTES = 16 * 1024;

    private final MillraceSession session;
    private final MillraceQueue queue;
    private volatile boolean closed;

    MillraceQueueBrowser(MillraceSession session, MillraceQueue queue) {
        this.session = session;
        this.queue = queue;
    }

    /** Each call begins anew with what the queue holds then. */
    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        DestinationDescribed described = session.routes().describe(queue);
        int partitions = described.partitions().size();
        int pageBytes = Math.max(MIN_PAGE_BYTES, PAGES_BYTES / partitions);
        return BrowserEnumeration.begin(
                (partition, offset, endOffset) -> page(described, partition, offset, endOffset, pageBytes),
                described.logId(),
                partitions,
                queue,
                session.connection().messages(),
                () -> closed || session.isClosed());
    }

    /** What sessions of this connection have acknowledged is told before: what was received in mode AUTO is not seen here any more. */
    private QueueBrowsed page(DestinationDescribed described, int partition, long offset, long endOffset, int maxBytes)
            throws JMSException {
        MillraceConnection connection = session.connection();
        return (QueueBrowsed) connection.calls().call("Browsing " + queue, connection.requestTimeoutMs(), () -> {
            connection.client().flushAcknowledgements();
            return connection
                    .client()
                    .request(corr -> new BrowseQueue(corr, described.logId(), partition, offset, endOffset, maxBytes));
        });
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return null;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw JmsFailures.closed("browser");
        }
        session.checkOpen();
    }
}
