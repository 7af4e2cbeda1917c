package io.millrace.jms.internal.browse;

import io.millrace.wire.frame.QueueBrowsed;
import jakarta.jms.JMSException;

/** Asks the server for pages of a queue. */
@FunctionalInterface
public interface PageSource {

    /**
     * Waits for a page.
     *
     * @param partition which partition
     * @param offset where to begin or go on
     * @param endOffset where to end, or -1 for what is there now
     * @throws JMSException if the server does not answer, or refuses
     */
    QueueBrowsed page(int partition, long offset, long endOffset) throws JMSException;
}
