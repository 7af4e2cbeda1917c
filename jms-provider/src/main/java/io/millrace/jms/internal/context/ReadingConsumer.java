package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that lets a message be read before it counts as received: what {@code receiveBody} of the simplified API needs in a
 * session that acknowledges by itself, and what the classic interfaces do not have. The consumers of sessions in the modes
 * AUTO_ACKNOWLEDGE and DUPS_OK_ACKNOWLEDGE implement it.
 *
 * <p>The reader is called by the receiving thread, with the next message, before that message is acknowledged. If the reader throws
 * anything, the exception reaches the caller unchanged and it is as if the call had not occurred (Jakarta Messaging 8.6): the message
 * stays the next one of this consumer, unacknowledged, with the JMSRedelivered and JMSXDeliveryCount that it had; a listener that
 * is set afterwards gets it first; closing the consumer gives it back as one that was never seen.
 */
public interface ReadingConsumer extends MessageConsumer {
    /**
     * Receives as {@link #receive(long)} does.
     *
     * @param timeoutMs 0 to wait for ever
     * @return what was read, or {@code null} if no message came in time or the consumer was closed meanwhile
     * @throws JMSException that of the reader, or as {@code receive} does
     */
    <T> @Nullable T receiveAndRead(long timeoutMs, MessageReader<T> reader) throws JMSException;

    /**
     * Receives as {@link #receiveNoWait()} does.
     *
     * @return what was read, or {@code null} if there is no message
     * @throws JMSException that of the reader, or as {@code receiveNoWait} does
     */
    <T> @Nullable T receiveAndReadNoWait(MessageReader<T> reader) throws JMSException;
}
